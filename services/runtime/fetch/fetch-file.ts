/** Fetches a file from a user-supplied URL as a stream of bytes. */
import type { PublicRequest, PublicResponse } from './exchange.ts'
import { FetchFailure } from './failure.ts'
import type { PublicNetwork } from './public-network.ts'
import { request } from './request.ts'

export interface FileRequest extends Omit<PublicRequest, 'method' | 'body'> {
  limitBytes: number
}

/**
 * @param receive gets the bytes, which throw FetchFailure if they exceed the limit or are fewer than announced, and the
 *   header `Content-Type`.
 * @throws FetchFailure; the reason of `signal` if it cancelled the request; errors of `receive`.
 */
export async function fetchFile<Result>(
  network: PublicNetwork,
  { headers, limitBytes, ...options }: FileRequest,
  receive: (content: AsyncIterable<Buffer>, contentType: string) => Promise<Result>,
): Promise<Result> {
  // No compression, because a small compressed response can expand to a huge file.
  const plain = { ...headers, 'accept-encoding': 'identity' }
  return await request(network, { ...options, method: 'GET', headers: plain }, async (response) => {
    checkResponse(response, limitBytes)
    const contentType = String(response.headers['content-type'] ?? '')
    return await receive(limitSize(response.body, limitBytes), contentType)
  })
}

/** @throws FetchFailure unless the response is an uncompressed file within the limit. */
function checkResponse({ status, headers }: PublicResponse, limitBytes: number): void {
  if (status >= 300 && status < 400) throw new FetchFailure('redirect', { status })
  if (status !== 200) throw new FetchFailure('status', { status })
  if (!isAbsentOr('identity', headers['content-encoding']) || !isAbsentOr('chunked', headers['transfer-encoding']))
    throw new FetchFailure('encoding', { status })
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw new FetchFailure('too_large', { status })
}

function isAbsentOr(expected: string, header: string | string[] | undefined): boolean {
  return header === undefined || (typeof header === 'string' && header.trim().toLowerCase() === expected)
}

async function* limitSize(content: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Buffer> {
  let sizeBytes = 0
  for await (const chunk of content) {
    sizeBytes += chunk.length
    if (sizeBytes > limitBytes) throw new FetchFailure('too_large')
    yield chunk
  }
}
