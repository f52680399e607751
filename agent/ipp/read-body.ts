/** Reads an HTTP response, or converts one without IPP to an error. */
import type { IncomingMessage } from 'node:http'
import { IppDecodingError, IppError } from './ipp-error.ts'
import type { IppStatus } from './status-codes.ts'

const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/** HTTP errors as IPP status and message. */
const REFUSALS: Record<number, [status: IppStatus, sentence: string]> = {
  401: ['client-error-not-authenticated', 'requires a password, which the agent does not have'],
  403: ['client-error-forbidden', 'does not permit this operation: allow it in its configuration'],
  404: ['client-error-not-found', 'knows no such printer'],
  413: ['client-error-request-entity-too-large', 'does not take requests of this size'],
  426: ['client-error-forbidden', 'accepts only encrypted connections: use ipps://'],
  503: ['server-error-service-unavailable', 'is busy'],
}

/**
 * @param where the server, for messages.
 * @throws IppError, IppDecodingError.
 */
export async function readBody(response: IncomingMessage, where: string): Promise<Buffer> {
  const { statusCode = 0, headers } = response
  if (statusCode !== 200) {
    response.destroy()
    const [status, sentence] = REFUSALS[statusCode] ?? ['server-error-internal-error', 'sent an unexpected response']
    throw new IppError(status, `${where} ${sentence} (HTTP status ${statusCode}).`)
  }
  if (!headers['content-type']?.startsWith('application/ipp')) {
    response.destroy()
    throw new IppDecodingError(`${where} does not speak IPP: something else answers there.`)
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    length += chunk.length
    if (length > MAX_ANSWER_BYTES)
      throw new IppDecodingError(
        `${where} answers with more than ${MAX_ANSWER_BYTES} bytes, which is more than is read.`,
      )
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
