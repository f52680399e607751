/** Reads an HTTP response, or converts one without IPP to an error. */
import type { IncomingMessage } from 'node:http'
import { IppDecodingError } from '@platen/ipp/decoding-error.ts'
import type { IppStatus } from '@platen/ipp/status-codes.ts'
import { IppError } from './ipp-error.ts'

const RESPONSE_MAX_BYTES = 16 * 1024 * 1024

const NO_PRINTER = 'answers, but not as a printer'

/** HTTP errors as IPP status and message. */
const REFUSALS: Record<number, [status: IppStatus, sentence: string]> = {
  400: ['client-error-bad-request', NO_PRINTER],
  401: ['client-error-not-authenticated', 'requires a password, which the agent does not have'],
  403: ['client-error-forbidden', 'does not permit this operation: allow it in its configuration'],
  404: ['client-error-not-found', 'has no printer at this path'],
  413: ['client-error-request-entity-too-large', 'has no space for the document, or rejects documents of its size'],
  426: ['client-error-forbidden', 'accepts only encrypted connections: use ipps://'],
  503: ['server-error-service-unavailable', 'is busy'],
}

/**
 * @param serverName the name of the server for messages.
 * @throws IppError, IppDecodingError.
 */
export async function readBody(response: IncomingMessage, serverName: string): Promise<Buffer> {
  const { statusCode = 0, headers } = response
  if (statusCode !== 200) {
    response.destroy()
    const [status, sentence] = REFUSALS[statusCode] ?? ['server-error-internal-error', NO_PRINTER]
    const problem = `${sentence} (HTTP status ${statusCode})`
    throw new IppError(status, `${serverName} ${problem}.`, `it ${problem}`)
  }
  if (!headers['content-type']?.startsWith('application/ipp')) {
    response.destroy()
    throw new IppDecodingError(`${serverName} ${NO_PRINTER}.`)
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    length += chunk.length
    if (length > RESPONSE_MAX_BYTES)
      throw new IppDecodingError(`${serverName} sent more than the maximum of ${RESPONSE_MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
