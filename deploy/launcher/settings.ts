/** The settings of the launcher, from the environment. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { ConfigError, listenAddress, readEnvironment } from '@platen/runtime/config.ts'
import { isLoopback, TLS_ENVIRONMENT, type TlsFiles, toTlsFiles } from '@platen/runtime/tls.ts'
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
    ...TLS_ENVIRONMENT,
    PLATEN_OPS_LISTEN: listenAddress.optional(),
    PLATEN_PUBLIC_URL: z.string().optional(),
    PLATEN_UPGRADE_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    PLATEN_OWNER_EMAIL: z.string().default('owner@localhost'),
    PLATEN_SMTP_URL: z.string().optional(),
    PLATEN_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).optional(),
  })
  .refine((env) => env.PLATEN_PORT !== env.PLATEN_AGENT_PORT, {
    path: ['PLATEN_AGENT_PORT'],
    message: 'must differ from PLATEN_PORT',
  })

const LOOPBACK = '127.0.0.1'
/** All addresses; `::` includes those of IPv4. */
const ANY = ['0.0.0.0', '::']

export interface Settings {
  /** The port of the gateway. */
  port: number
  agentPort: number
  dataDirectory: string
  /** The address on which gateway and devices listen; undefined: all addresses. */
  host: string | undefined
  /** With absolute paths. */
  tls: TlsFiles | undefined
  /** The default, because other computers would connect without TLS. */
  isOnlyLocal: boolean
  /** Whether other computers have an address of it, directly or through a proxy. */
  isReachable: boolean
  /** The URLs for browsers and agents on this machine; with TLS, those for which the certificate is valid. */
  baseUrl: string
  agentUrl: string
  /** The URL of the operations port that the operator has chosen. */
  opsUrl: string | undefined
  /** The URL in `quota_exceeded` errors. */
  upgradeUrl: string
  /** The first owner. */
  ownerEmail: string
  /** Otherwise the launcher prints sign-in codes. */
  hasMailServer: boolean
}

/** @throws ConfigError with all invalid variables. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const read = readEnvironment(ENVIRONMENT, env)
  const tls = toAbsolute(toTlsFiles(read))
  const name = tls ? toCertifiedHost(tls, read.PLATEN_HOST) : toReachableHost(read.PLATEN_HOST)
  const scheme = tls ? 'https' : 'http'
  const baseUrl = `${scheme}://${name}:${read.PLATEN_PORT}`
  const ops = read.PLATEN_OPS_LISTEN
  const isOnlyLocal = tls === undefined && read.PLATEN_HOST === undefined
  const isOnLoopback = isOnlyLocal || (read.PLATEN_HOST !== undefined && isLoopback(read.PLATEN_HOST))
  return {
    port: read.PLATEN_PORT,
    agentPort: read.PLATEN_AGENT_PORT,
    dataDirectory: resolve(read.PLATEN_DATA_DIR),
    host: isOnlyLocal ? LOOPBACK : read.PLATEN_HOST,
    tls,
    isOnlyLocal,
    isReachable: !isOnLoopback || read.PLATEN_PUBLIC_URL !== undefined,
    baseUrl,
    agentUrl: `${scheme}://${name}:${read.PLATEN_AGENT_PORT}`,
    opsUrl: ops && `http://${ANY.includes(ops.host) ? LOOPBACK : toUrlHost(ops.host)}:${ops.port}`,
    upgradeUrl: read.PLATEN_UPGRADE_URL ?? `${baseUrl}/docs`,
    ownerEmail: read.PLATEN_OWNER_EMAIL,
    hasMailServer: read.PLATEN_SMTP_URL !== undefined,
  }
}

function toReachableHost(host: string | undefined): string {
  return host === undefined || ANY.includes(host) || isLoopback(host) ? 'localhost' : toUrlHost(host)
}

const toUrlHost = (host: string) => (host.includes(':') ? `[${host}]` : host)

const toAbsolute = (tls: TlsFiles | undefined): TlsFiles | undefined =>
  tls && { certFile: resolve(tls.certFile), keyFile: resolve(tls.keyFile) }

/** A name of this machine for which the certificate is valid, if possible. */
function toCertifiedHost({ certFile }: TlsFiles, host: string | undefined): string {
  const certificate = readCertificate(certFile)
  const local = [host, 'localhost'].find(
    (name) => name !== undefined && (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)),
  )
  const [, named] = /\bDNS:([^*,]+)(,|$)/.exec(certificate.subjectAltName ?? '') ?? []
  return toReachableHost(local ?? named ?? host)
}

function readCertificate(certFile: string): X509Certificate {
  try {
    return new X509Certificate(readFileSync(certFile))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`The certificate in PLATEN_TLS_CERT_FILE (${certFile}) cannot be used: ${reason}.`)
  }
}
