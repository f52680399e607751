/** The settings of the launcher, from the environment. */
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
  /** Of the gateway. */
  port: number
  agentPort: number
  dataDirectory: string
  /** The address on which gateway and devices listen; undefined: all addresses. */
  host: string | undefined
  /** The URLs for browsers and agents on this machine. */
  baseUrl: string
  agentUrl: string
  /** The URL in `quota_exceeded` errors. */
  upgradeUrl: string
}

/** @throws ConfigError with all invalid variables. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const read = readEnvironment(ENVIRONMENT, env)
  const host = toReachableHost(read.PLATEN_HOST)
  const baseUrl = `http://${host}:${read.PLATEN_PORT}`
  return {
    port: read.PLATEN_PORT,
    agentPort: read.PLATEN_AGENT_PORT,
    dataDirectory: resolve(read.PLATEN_DATA_DIR),
    host: read.PLATEN_HOST,
    baseUrl,
    agentUrl: `http://${host}:${read.PLATEN_AGENT_PORT}`,
    upgradeUrl: read.PLATEN_UPGRADE_URL ?? `${baseUrl}/docs`,
  }
}

function toReachableHost(host: string | undefined): string {
  if (host === undefined || ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
