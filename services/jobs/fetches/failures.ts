/**
 * Messages and reasons of failed fetches. A fixed list, so that a message does not reveal the network of the service.
 * Hosts without an address and hosts with a private address have the same message. For a host in an allowed network the
 * message is only that the fetch failed, unless the operator shows the cause. The log of the operator contains it.
 */
import { DOCUMENT_MAX_BYTES } from '@platen/resources/limits.ts'
import type { FetchFault } from '@platen/runtime/fetch/failure.ts'
import { CONVERSION_TIMEOUT_MS, type ConversionFault } from '../images/conversions.ts'
import { PIXELS_MAX } from '../images/lay-out-image.ts'

export type DocumentFault =
  | FetchFault
  | ConversionFault
  | 'empty'
  | 'not_pdf'
  | 'not_image'
  | 'web_page'
  | 'json'
  | 'missing'
  | 'unreadable'

export interface Failure {
  message: string
  /** For `stateReasons`: `docs/reference/state-reasons.md`. */
  reason: 'fetch-failed' | 'fetch-timeout' | 'content-too-large' | 'document-format-error' | 'document-missing'
}

const NO_ADDRESS: Failure = {
  reason: 'fetch-failed',
  message: 'The host of the URL does not resolve to a public address.',
}

export const STARTED_TOO_LATE: Failure = {
  reason: 'fetch-timeout',
  message: 'The file could not be fetched in time. Create the job again.',
}

export const NO_QUOTA: Failure = {
  reason: 'fetch-failed',
  message: 'The organization has reached its limit of stored documents.',
}

const FAILURES: Record<Exclude<DocumentFault, 'status' | 'timeout'>, Failure> = {
  dns: NO_ADDRESS,
  dns_failed: { reason: 'fetch-failed', message: 'DNS did not answer for the host of the URL. Create the job again.' },
  blocked_address: NO_ADDRESS,
  connect: { reason: 'fetch-failed', message: 'The connection to the server of the URL failed.' },
  tls: {
    reason: 'fetch-failed',
    message: 'The TLS connection to the server of the URL failed. Check the certificate of the server.',
  },
  redirect: {
    reason: 'fetch-failed',
    message: 'The server answered with a redirect, which is not followed. Use the final URL.',
  },
  encoding: {
    reason: 'fetch-failed',
    message: 'The server sent the file with a content encoding, which is not accepted.',
  },
  response: {
    reason: 'fetch-failed',
    message: 'The response of the server was invalid or incomplete.',
  },
  too_large: { reason: 'content-too-large', message: `The file is larger than ${DOCUMENT_MAX_BYTES} bytes.` },
  empty: { reason: 'document-format-error', message: 'The file is empty.' },
  not_pdf: { reason: 'document-format-error', message: 'The file is not a PDF: it does not start with `%PDF-`.' },
  not_image: {
    reason: 'document-format-error',
    message: 'The file is not an image: PNG, JPEG, GIF, TIFF and WebP are accepted.',
  },
  web_page: {
    reason: 'document-format-error',
    message:
      'The server sent a web page instead of raw data, for example a page to sign in. Check the URL and its credentials.',
  },
  json: {
    reason: 'document-format-error',
    message: 'The server sent JSON instead of raw data, for example an error. Check the URL and its credentials.',
  },
  image_damaged: {
    reason: 'document-format-error',
    message: 'The image is damaged, or its kind of compression is not supported. Save it again, for example as PNG.',
  },
  image_pixels: {
    reason: 'document-format-error',
    message: `The image has more than ${PIXELS_MAX / 1_000_000} megapixels. Send a smaller one.`,
  },
  image_limits: {
    reason: 'document-format-error',
    message: `The image needs more memory or time than is allowed (256 MB, ${CONVERSION_TIMEOUT_MS / 1000} s). Send a smaller one, or a PNG or JPEG that is not interlaced or progressive.`,
  },
  image_pdf_too_large: {
    reason: 'content-too-large',
    message: `The PDF of the image is larger than ${DOCUMENT_MAX_BYTES} bytes. Send a smaller image, or a JPEG.`,
  },
  missing: { reason: 'document-missing', message: 'The service no longer has the image. Create the job again.' },
  unreadable: {
    reason: 'fetch-failed',
    message: 'The stored source of the document could not be decrypted. Create the job again.',
  },
}

/** For a host with an address in an allowed network whose details are hidden. */
export const FAILED_INSIDE: Failure = { reason: 'fetch-failed', message: 'The file could not be fetched.' }

/** @param status of the response, for the fault `status`. */
export function toFailure(
  fault: DocumentFault,
  { status, deadlineMs }: { status?: number; deadlineMs: number },
): Failure {
  if (fault === 'timeout')
    return { reason: 'fetch-timeout', message: `The file could not be fetched within ${deadlineMs / 1000} seconds.` }
  if (fault === 'status') return { reason: 'fetch-failed', message: `The server answered with status ${status}.` }
  return FAILURES[fault]
}
