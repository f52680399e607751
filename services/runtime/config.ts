/**
 * Settings are read from the environment in two steps: this module reads and validates all variables at once, and the
 * `config.ts` of each service maps them to its configuration.
 */

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
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

/** An address of a server, without a path. */
export const originUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => new URL(url).pathname === '/' && !/[?#@]/.test(url), 'must have no path, query or user')

/** The path of a text file, of which the content is read at the start. */
export const fileContent = z.string().transform((path, ctx): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    ctx.addIssue({ code: 'custom', message: `cannot be read: ${error instanceof Error ? error.message : error}` })
    return z.NEVER
  }
})

/** The path of a PEM file with certificates, of which the content is read at the start. */
export const certificateFile = fileContent.refine(isCertificate, 'is not a PEM file with certificates')

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** A duration in whole seconds. */
export const seconds = (fallback: number) => z.coerce.number().int().min(1).default(fallback)
