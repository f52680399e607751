/**
 * Settings are read from the environment in two steps: this module reads and validates all variables at once, and the `config.ts` of
 * each service maps them to its configuration.
 */
import { networkInterfaces } from 'node:os'
import { z } from 'zod'

/** The process cannot start until a setting is changed. */
export class ConfigError extends Error {}

/**
 * Reads the variables of `schema`. An empty variable counts as unset.
 *
 * @throws ConfigError with one line for each invalid variable.
 */
export function readEnvironment<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  env: NodeJS.ProcessEnv = process.env,
): z.infer<z.ZodObject<Shape>> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = schema.safeParse(set)
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new ConfigError(
    `Invalid settings. Correct these environment variables and start again:\n  ${lines.join('\n  ')}`,
  )
}

export interface ListenAddress {
  host: string
  port: number
}

/** `127.0.0.1:4711`, `[::1]:4711`, `*:4711` for all interfaces. */
export const listenAddress = z
  .string()
  .regex(/^(\[[0-9a-fA-F:]+\]|[^:]+):\d{1,5}$/, 'must be host:port')
  .transform((text): ListenAddress => {
    const colon = text.lastIndexOf(':')
    const host = text.slice(0, colon).replace(/^\[|\]$/g, '')
    return { host: host === '*' ? anyAddress() : host, port: Number(text.slice(colon + 1)) }
  })

/** `::` accepts IPv4 too, but does not exist where IPv6 is disabled. */
function anyAddress(): string {
  const addresses = Object.values(networkInterfaces()).flat()
  return addresses.some((address) => address?.family === 'IPv6') ? '::' : '0.0.0.0'
}

export const port = z.coerce.number().int().min(0).max(65535)

/** The URL of PostgreSQL. `*` in the user name stands for the name of the service. */
export const databaseUrl = (service: string) =>
  z.url().transform((text) => {
    const url = new URL(text)
    url.username = url.username.replace('*', service)
    return url.href
  })

/** A duration in whole seconds. */
export const seconds = (fallback: number) => z.coerce.number().int().min(1).default(fallback)

/** A key of 32 bytes, as base64url. */
export const key32 = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes as base64url')
  .transform((text) => Buffer.from(text, 'base64url'))
