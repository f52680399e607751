/** Fetches a file from a URL that somebody else gave us, as its bytes come. */

import type { PublicResponse } from './exchange.ts'
import { FetchFailure } from './failure.ts'
import type { PublicNetwork } from './public-network.ts'
import { request, type SingleRequest } from './request.ts'

export interface FileRequest extends Omit<SingleRequest, 'method' | 'body'> {
  limitBytes: number
}

/**
 * @param receive takes the bytes, which end in a FetchFailure when there are more than the limit or fewer than were announced.
 * @throws FetchFailure; the signal's reason when that ended it; what `receive` throws.
 */
export async function fetchFile<Result>(
  network: PublicNetwork,
  { headers, limitBytes, ...asked }: FileRequest,
  receive: (content: AsyncIterable<Buffer>) => Promise<Result>,
): Promise<Result> {
  // A file that is packed would have to be unpacked to be counted, checked and printed: that is how small answers become large.
  const plain = { ...headers, 'accept-encoding': 'identity' }
  return await request(network, { ...asked, method: 'GET', headers: plain }, async (response) => {
    refuseUnlessPlainFile(response, limitBytes)
    return await receive(counted(response.body, limitBytes))
  })
}

function refuseUnlessPlainFile({ status, headers }: PublicResponse, limitBytes: number): void {
  if (status >= 300 && status < 400) throw new FetchFailure('redirect', { status })
  if (status !== 200) throw new FetchFailure('status', { status })
  if (!says(headers['content-encoding'], 'identity') || !says(headers['transfer-encoding'], 'chunked'))
    throw new FetchFailure('encoding', { status })
  if (Number(headers['content-length'] ?? 0) > limitBytes) throw new FetchFailure('too_large', { status })
}

/** Nothing, or this alone. */
function says(header: string | string[] | undefined, word: string): boolean {
  return header === undefined || (typeof header === 'string' && header.trim().toLowerCase() === word)
}

async function* counted(content: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Buffer> {
  let sizeBytes = 0
  for await (const chunk of content) {
    sizeBytes += chunk.length
    if (sizeBytes > limitBytes) throw new FetchFailure('too_large')
    yield chunk
  }
}
