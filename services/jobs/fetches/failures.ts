/**
 * What a job says whose fetch failed: a fixed list, so that nobody learns from it what is behind the service. A host that has no address
 * and one that has an address of ours are told alike, and of a host inside an allowed network nothing is told but that the fetch failed:
 * what is open, closed, slow or large there is the operator's business, who finds it in the log.
 */
import type { FetchFault } from '@platen/runtime/fetch/failure.ts'

export type DocumentFault = FetchFault | 'empty' | 'not_pdf' | 'unreadable'

export interface Failure {
  message: string
  /** For `stateReasons`: `docs/reference/state-reasons.md`. */
  reason: 'fetch-failed' | 'fetch-timeout' | 'content-too-large' | 'document-format-error'
}

const NO_ADDRESS: Failure = {
  reason: 'fetch-failed',
  message: 'The host of the URL has no public address, or has none any more.',
}

export const HELD_TOO_LONG: Failure = {
  reason: 'fetch-timeout',
  message: 'The file could not be fetched in time. Send the job again.',
}

const FAILURES: Record<Exclude<DocumentFault, 'status' | 'timeout'>, Failure> = {
  dns: NO_ADDRESS,
  blocked_address: NO_ADDRESS,
  connect: { reason: 'fetch-failed', message: 'There is no connection to the server of the URL.' },
  tls: {
    reason: 'fetch-failed',
    message: 'There is no secure connection to the server of the URL. Check its certificate.',
  },
  redirect: {
    reason: 'fetch-failed',
    message: 'The server answered with a redirect, which is not followed. Give the final URL.',
  },
  encoding: {
    reason: 'fetch-failed',
    message: 'The server sent the file with a content encoding, though none was accepted.',
  },
  response: {
    reason: 'fetch-failed',
    message: 'The answer of the server was not valid, or ended before the file did.',
  },
  too_large: { reason: 'content-too-large', message: 'The file is larger than 26214400 bytes.' },
  empty: { reason: 'document-format-error', message: 'The file is empty.' },
  not_pdf: { reason: 'document-format-error', message: 'The file is not a PDF: it does not start with `%PDF-`.' },
  unreadable: { reason: 'fetch-failed', message: 'The URL could not be kept until the fetch. Send the job again.' },
}

export const FAILED_INSIDE: Failure = { reason: 'fetch-failed', message: 'The file could not be fetched.' }

/**
 * For a host whose addresses are public.
 *
 * @param status of the answer, which is the server's own and told to who named the server.
 */
export function failureOf(
  fault: DocumentFault,
  { status, deadlineMs }: { status?: number; deadlineMs: number },
): Failure {
  if (fault === 'timeout')
    return { reason: 'fetch-timeout', message: `The file could not be fetched within ${deadlineMs / 1000} seconds.` }
  if (fault === 'status')
    return { reason: 'fetch-failed', message: `The server answered with status ${status}, not with the file.` }
  return FAILURES[fault]
}
