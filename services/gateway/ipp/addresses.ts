/**
 * The addresses of IPP. `/ipp/print/{printer}`, or `/ipp/print/d/{destination}`, then the secret of a print access,
 * then `/jobs/{number}` of a job.
 */
import type { RequestContext } from '../context.ts'
import { getOwnOrigin } from '../request/own-origin.ts'

export const ROOT = '/ipp/print/'

/** The picture that computers show for a printer. */
export const ICON = '/ipp/printer.png'

/** The path in logs, spans and metrics, which never have a secret. The same for destinations. */
export const ROUTE = '/ipp/print/{printer}'

export interface Address {
  /** An id or a number, of a destination if it is one. */
  printer: string
  isDestination: boolean
  secret: string | undefined
}

const PATH = /^\/ipp\/print\/(d\/)?([^/]{1,64})(?:\/([^/]{1,128}))?(?:\/jobs\/\d{1,10})?\/?$/

/** The path of a job without a secret. */
const JOB_PATH = /^(\/ipp\/print\/(?:d\/)?[^/]{1,64})\/jobs\/\d{1,10}$/

/** @returns undefined for a path that names no printer. */
export function parseAddress(path: string): Address | undefined {
  const [, prefix, printer, secret] = PATH.exec(JOB_PATH.exec(path)?.[1] ?? path) ?? []
  return printer === undefined ? undefined : { printer, isDestination: prefix !== undefined, secret }
}

export interface Uris {
  /** The address that the computer uses, with its secret. */
  printer: string
  /** The origin of pages for people. */
  origin: string
  isSecure: boolean
  /** Whether the address needs no password. */
  hasSecret: boolean
  /** @returns the address of a job, without the secret. */
  job(number: number): string
}

/** @param publicUrl `PLATEN_PUBLIC_URL`. */
export function toUris(
  ctx: RequestContext,
  { printer, isDestination, secret }: Address,
  publicUrl: string | undefined,
): Uris {
  const origin = getOwnOrigin(ctx, publicUrl)
  const { protocol, hostname, port } = new URL(origin)
  const isSecure = protocol === 'https:'
  // The usual port of `ipps` is 631.
  const base = `${isSecure ? 'ipps' : 'ipp'}://${hostname}:${port || (isSecure ? 443 : 80)}${ROOT}${isDestination ? 'd/' : ''}${printer}`
  return {
    printer: secret === undefined ? base : `${base}/${secret}`,
    origin,
    isSecure,
    hasSecret: secret !== undefined,
    job: (number) => `${base}/jobs/${number}`,
  }
}
