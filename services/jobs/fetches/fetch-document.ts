/** Fetches one document into the file store. Reference: docs/reference/fetches.md#fetch. */
import { createHash } from 'node:crypto'
import { FetchFailure } from '@platen/runtime/fetch/failure.ts'
import { fetchFile } from '@platen/runtime/fetch/fetch-file.ts'
import type { PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import type { DocumentFault } from './failures.ts'
import type { FetchSource } from './vault.ts'

/** 25 MB: docs/reference/fetches.md#fetch.25MB. */
const LIMIT_BYTES = 26_214_400
const PDF_MARKER = Buffer.from('%PDF-')

export class UnfitDocument extends Error {
  readonly fault: DocumentFault

  constructor(fault: DocumentFault) {
    super(`the document is not fit: ${fault}`)
    this.fault = fault
  }
}

export interface FetchedDocument {
  sizeBytes: number
  sha256: string
}

export interface DocumentFetch {
  source: FetchSource
  isPdf: boolean
  /** Where it is written to; when this fails nothing is there. */
  storageKey: string
  /** For the whole fetch, from the look-up of the host on. */
  deadlineMs: number
  /** Ends it. */
  signal: AbortSignal
  /** Told the addresses of the URL's host before any of them is connected to. */
  onAddresses: (addresses: string[]) => void
}

/** @throws FetchFailure; UnfitDocument; ApiError `storage_unavailable`; the signal's reason. */
export async function fetchDocument(
  { network, files }: { network: PublicNetwork; files: FileStore },
  { source, isPdf, storageKey, deadlineMs, signal, onAddresses }: DocumentFetch,
): Promise<FetchedDocument> {
  const read = network.readUrl(source.url)
  if ('fault' in read) throw new FetchFailure('blocked_address')
  const headers = { 'user-agent': 'Platen', accept: '*/*', ...authorization(source) }
  return await fetchFile(
    network,
    { url: read.url, headers, limitBytes: LIMIT_BYTES, deadlineMs, signal, onAddresses },
    async (content) => {
      const hash = createHash('sha256')
      let sizeBytes = 0
      async function* hashed() {
        for await (const chunk of checked(content, isPdf)) {
          hash.update(chunk)
          sizeBytes += chunk.length
          yield chunk
        }
      }
      await files.write(storageKey, hashed())
      return { sizeBytes, sha256: hash.digest('hex') }
    },
  )
}

/** RFC 7617, in UTF-8. */
function authorization({ credentials }: FetchSource): Record<string, string> {
  if (!credentials) return {}
  const text = Buffer.from(`${credentials.user}:${credentials.password}`)
  return { authorization: `Basic ${text.toString('base64')}` }
}

/** @throws UnfitDocument as soon as its first bytes are known. */
async function* checked(content: AsyncIterable<Buffer>, isPdf: boolean): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of content) {
    if (start === undefined) {
      yield chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < PDF_MARKER.length) continue
    if (isPdf && !start.subarray(0, PDF_MARKER.length).equals(PDF_MARKER)) throw new UnfitDocument('not_pdf')
    yield start
    start = undefined
  }
  if (start === undefined) return
  if (start.length === 0) throw new UnfitDocument('empty')
  if (isPdf) throw new UnfitDocument('not_pdf')
  yield start
}
