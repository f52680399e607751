/** Settings of NATS, for the `config.ts` of services. The only place that interprets the URL. */
import { isIP } from 'node:net'
import { type Authenticator, credsAuthenticator, type NodeConnectionOptions } from '@nats-io/transport-node'
import { z } from 'zod'
import { ConfigError, certificateFile, fileContent } from '../config.ts'

export interface NatsSettings {
  /** Servers, authentication and TLS of every connection. */
  connection: NodeConnectionOptions & { servers: string[] }
  /** The replicas of streams and buckets. */
  replicas: number
}

const URL_RULE =
  'must be nats://host:4222 or tls://host:4222, or several of them separated by commas, all with the same scheme and the same token or user:password, with special characters as %XX'

const natsUrl = z.string().transform((text, ctx) => {
  const parsed = parseServers(text)
  if (parsed) return parsed
  // The message does not contain the URL, which can include a password.
  ctx.addIssue({ code: 'custom', message: URL_RULE })
  return z.NEVER
})

const credentialsFile = fileContent.transform((text, ctx): Authenticator => {
  const authenticator = credsAuthenticator(new TextEncoder().encode(text))
  try {
    authenticator('nonce')
  } catch {
    ctx.addIssue({ code: 'custom', message: 'is not a credentials file of a NATS user' })
  }
  return authenticator
})

export const NATS_VARIABLES = {
  PLATEN_NATS_URL: natsUrl,
  PLATEN_NATS_TOKEN: z.string().optional(),
  PLATEN_NATS_USER: z.string().optional(),
  PLATEN_NATS_PASSWORD: z.string().optional(),
  PLATEN_NATS_CREDENTIALS_FILE: credentialsFile.optional(),
  PLATEN_NATS_CA_FILE: certificateFile.optional(),
  /** With two or four, one server less suffices for the same safety. */
  PLATEN_NATS_REPLICAS: z.enum(['1', '3', '5']).default('1').transform(Number),
}

type NatsEnvironment = z.infer<z.ZodObject<typeof NATS_VARIABLES>>

/** @throws ConfigError if the variables contradict each other. */
export function natsSettings(env: NatsEnvironment): NatsSettings {
  const { PLATEN_NATS_URL: url, PLATEN_NATS_CA_FILE: ca, PLATEN_NATS_REPLICAS: replicas } = env
  const { PLATEN_NATS_TOKEN: token, PLATEN_NATS_USER: user, PLATEN_NATS_PASSWORD: pass } = env
  const authenticator = env.PLATEN_NATS_CREDENTIALS_FILE
  if ((user === undefined) !== (pass === undefined))
    throw new ConfigError('Invalid settings. Set PLATEN_NATS_USER and PLATEN_NATS_PASSWORD together.')
  const ways = [url.token ?? url.user, token, user, authenticator].filter((way) => way !== undefined)
  if (ways.length > 1)
    throw new ConfigError(
      'Invalid settings. Set only one of PLATEN_NATS_TOKEN, PLATEN_NATS_USER, PLATEN_NATS_CREDENTIALS_FILE and the credentials in PLATEN_NATS_URL.',
    )
  const given = Object.fromEntries(
    Object.entries({ token, user, pass, authenticator }).filter(([, value]) => value !== undefined),
  )
  const connection = { ...url, ...given, ...(ca !== undefined && { tls: { ca } }) }
  // The library would verify the certificate of an address as that of `localhost`.
  if (connection.tls && url.servers.some((server) => isIP(server.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))))
    throw new ConfigError('Invalid settings. With TLS, PLATEN_NATS_URL must have host names instead of IP addresses.')
  return { connection, replicas }
}

/** Each service can have a user of its own, with `*` in the settings for its name. */
export const toUser = ({ connection }: Pick<NatsSettings, 'connection'>, service: string): string | undefined =>
  connection.user?.replace('*', service)

/** @returns the user, "token" or "none"; empty for a credentials file, whose user is not known. */
export function describeCredential(settings: Pick<NatsSettings, 'connection'>, service: string): string {
  const { token, authenticator } = settings.connection
  if (authenticator !== undefined) return ''
  return toUser(settings, service) ?? (token === undefined ? 'none' : 'token')
}

/** For tests, and documents that are on other servers than messages. @throws Error for an invalid URL. */
export function parseNatsUrl(text: string): NatsSettings {
  const connection = parseServers(text)
  if (!connection) throw new Error(URL_RULE)
  return { connection, replicas: 1 }
}

function parseServers(text: string): NatsSettings['connection'] | undefined {
  const urls = text.split(',').map((one) => URL.parse(one.trim()))
  const servers: string[] = []
  for (const url of urls) {
    if (!url || !/^(nats|tls):$/.test(url.protocol) || url.host === '') return undefined
    if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return undefined
    servers.push(url.host)
  }
  const [first, ...others] = urls
  if (!first || others.some((url) => url && toShared(url) !== toShared(first))) return undefined
  const credentials = parseCredentials(first)
  return credentials && { servers, ...credentials, ...(first.protocol === 'tls:' && { tls: {} }) }
}

const toShared = ({ protocol, username, password }: URL) => JSON.stringify([protocol, username, password])

/** @returns undefined for a password without a user, or an invalid percent encoding. */
function parseCredentials({ username, password }: URL): { token?: string; user?: string; pass?: string } | undefined {
  try {
    const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
    if (user === '') return pass === '' ? {} : undefined
    return pass === '' ? { token: user } : { user, pass }
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
