/** Settings of the database, for the `config.ts` of services that have one. The only place that interprets the URL. */
import type { ClientConfig } from 'pg'
import { z } from 'zod'
import { certificateFile, fileContent } from '../config.ts'

export interface DatabaseSettings {
  /** Address, user and TLS of every connection. */
  server: ClientConfig
  /**
   * `run`: at the start of the service. `wait`: `platen-server migrate` does it, and the service is not ready before.
   * Default: `run`.
   */
  migrations?: 'run' | 'wait'
  /** Maximum of connections of one replica. Undefined: the default of the service. */
  connections?: number
}

type Tls = Exclude<ClientConfig['ssl'], boolean | undefined>

const URL_RULE =
  'must be postgres://user:password@host:5432/database, with special characters of user and password as %XX'

/** libpq's `allow` and `prefer` permit clear text, which `pg` cannot fall back to. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full']
const PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']

/** @param service replaces `*` in the user name. */
const databaseUrl = (service: string) =>
  z.string().transform((text, ctx): ClientConfig => {
    try {
      return parseDatabaseUrl(text, service)
    } catch (error) {
      // The message does not contain the URL, which can include a password.
      ctx.addIssue({ code: 'custom', message: error instanceof UrlError ? error.message : URL_RULE })
      return z.NEVER
    }
  })

export const databaseVariables = (service: string) => ({
  PLATEN_DATABASE_URL: databaseUrl(service),
  PLATEN_DATABASE_CA_FILE: certificateFile.optional(),
  PLATEN_DATABASE_CONNECTIONS: z.coerce.number().int().min(6).max(1_000).optional(),
  PLATEN_MIGRATIONS: z.enum(['run', 'wait']).default('run'),
})

/**
 * For commands that act for several services: `PLATEN_DATABASE_URL_JOBS`, if it is set, instead of
 * `PLATEN_DATABASE_URL`.
 */
export function selectDatabase(service: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...env, PLATEN_DATABASE_URL: env[`PLATEN_DATABASE_URL_${service.toUpperCase()}`] || env.PLATEN_DATABASE_URL }
}

type DatabaseEnvironment = z.infer<z.ZodObject<ReturnType<typeof databaseVariables>>>

/** A CA file means `verify-full`, whatever the URL says. */
export function databaseSettings(env: DatabaseEnvironment): DatabaseSettings {
  const { PLATEN_DATABASE_URL: server, PLATEN_DATABASE_CA_FILE: ca } = env
  const { PLATEN_DATABASE_CONNECTIONS: connections, PLATEN_MIGRATIONS: migrations } = env
  if (ca === undefined) return { server, connections, migrations }
  const { cert, key } = server.ssl ? (server.ssl as Tls) : {}
  return { server: { ...server, ssl: { ca, cert, key } }, connections, migrations }
}

class UrlError extends Error {}

/**
 * The options of a `pg` client, in which TLS is as libpq documents `sslmode`. Without `sslmode`: no TLS.
 *
 * @throws Error if the URL is malformed, or a parameter is not supported.
 */
export function parseDatabaseUrl(text: string, service = ''): ClientConfig {
  const url = new URL(text)
  if (!/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '' || url.pathname.length < 2)
    throw new UrlError(URL_RULE)
  for (const name of url.searchParams.keys())
    if (!PARAMETERS.includes(name))
      throw new UrlError(`has the unknown parameter ${name}; supported are ${PARAMETERS.join(', ')}`)
  const decode = (part: string) => decodeURIComponent(part) || undefined
  return {
    user: decode(url.username.replace('*', service)),
    password: decode(url.password),
    host: decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
    port: Number(url.port || 5432),
    database: decode(url.pathname.slice(1)),
    ssl: parseTls(Object.fromEntries(url.searchParams)),
  }
}

function parseTls({ sslmode = 'disable', ...files }: Record<string, string>): false | Tls {
  if (!SSL_MODES.includes(sslmode)) throw new UrlError(`has an unknown sslmode; supported are ${SSL_MODES.join(', ')}`)
  if (sslmode === 'disable') {
    const [unused] = Object.keys(files)
    if (unused !== undefined) throw new UrlError(`has ${unused}, which requires sslmode=verify-full`)
    return false
  }
  const { sslrootcert, sslcert, sslkey } = files
  const tls: Tls = {
    ca: sslrootcert === undefined ? undefined : readFile('sslrootcert', sslrootcert, certificateFile),
    cert: sslcert === undefined ? undefined : readFile('sslcert', sslcert, certificateFile),
    key: sslkey === undefined ? undefined : readFile('sslkey', sslkey, fileContent),
  }
  if (sslmode === 'verify-full') return tls
  if (sslmode === 'require' && tls.ca === undefined) return { ...tls, rejectUnauthorized: false }
  if (tls.ca === undefined) throw new UrlError('has sslmode=verify-ca, which requires sslrootcert')
  // Accepts every name in a certificate of the CA.
  return { ...tls, checkServerIdentity: () => undefined }
}

function readFile(parameter: string, path: string, schema: typeof fileContent): string {
  const read = schema.safeParse(path)
  if (!read.success) throw new UrlError(`has a ${parameter} that ${read.error.issues[0]?.message}`)
  return read.data
}
