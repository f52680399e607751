/** The launcher's settings, from the environment. Called by `launch`. */
import { resolve } from 'node:path'
import { readEnvironment } from '@platen/runtime/config.ts'
import { z } from 'zod'

const port = (fallback: number) =>
  z
    .string()
    .default(String(fallback))
    .refine(
      (text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535,
      'must be a port, 1 to 65535',
    )
    .transform(Number)

const ENVIRONMENT = z
  .object({
    PLATEN_PORT: port(8080),
    PLATEN_AGENT_PORT: port(8090),
    PLATEN_DATA_DIR: z.string().default('.platen'),
    PLATEN_HOST: z
      .string()
      .regex(/^[0-9A-Za-z:.-]+$/, 'must be an IP address or a host name, without a port')
      .optional(),
    PLATEN_UPGRADE_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    PLATEN_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).optional(),
  })
  .refine((env) => env.PLATEN_PORT !== env.PLATEN_AGENT_PORT, {
    path: ['PLATEN_AGENT_PORT'],
    message: 'must differ from PLATEN_PORT',
  })

export interface Settings {
  /** The gateway's. */
  port: number
  agentPort: number
  dataDirectory: string
  /** The address that gateway and devices listen on; all when it is not set. */
  host: string | undefined
  /** How a browser and an agent on this machine reach them. */
  baseUrl: string
  agentUrl: string
  /** What `quota_exceeded` points to. */
  upgradeUrl: string
}

/** @throws ConfigError that names every bad variable. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const read = readEnvironment(ENVIRONMENT, env)
  const reachable = hostToReach(read.PLATEN_HOST)
  const baseUrl = `http://${reachable}:${read.PLATEN_PORT}`
  return {
    port: read.PLATEN_PORT,
    agentPort: read.PLATEN_AGENT_PORT,
    dataDirectory: resolve(read.PLATEN_DATA_DIR),
    host: read.PLATEN_HOST,
    baseUrl,
    agentUrl: `http://${reachable}:${read.PLATEN_AGENT_PORT}`,
    upgradeUrl: read.PLATEN_UPGRADE_URL ?? `${baseUrl}/docs`,
  }
}

function hostToReach(host: string | undefined): string {
  if (host === undefined || ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
