/** Fetches one document into the file store. Reference: docs/reference/fetches.md#fetch. */

import { createHash } from 'node:crypto'
import {
  type DocumentFormat,
  FORMAT_START_BYTES,
  matchesFormat,
  recognize,
  WEB_PAGE,
} from '@platen/resources/document-format.ts'
import { DOCUMENT_MAX_BYTES } from '@platen/resources/limits.ts'
import { FetchFailure } from '@platen/runtime/fetch/failure.ts'
import { fetchFile } from '@platen/runtime/fetch/fetch-file.ts'
import type { PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import type { DocumentFault } from './failures.ts'
import type { FetchSource } from './source-box.ts'

const PAGE_TYPE = /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i
const JSON_TYPE = /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i

export class InvalidDocument extends Error {
  readonly fault: DocumentFault

  constructor(fault: DocumentFault) {
    super(`invalid document: ${fault}`)
    this.fault = fault
  }
}

export interface FetchedDocument {
  sizeBytes: number
  sha256: string
}

export interface DocumentFetch {
  source: Extract<FetchSource, { url: string }>
  format: DocumentFormat
  /** Key of the stored file. A failed fetch stores nothing. */
  storageKey: string
  /** The end of the whole fetch, including the look-up of the host. */
  deadlineMs: number
  /** Aborts the fetch. */
  signal: AbortSignal
  /** Called with the addresses of the URL's host before the connection. */
  onAddresses: (addresses: string[]) => void
}

/** @throws FetchFailure; InvalidDocument; ApiError `storage_unavailable`; the signal's reason. */
export async function fetchDocument(
  { network, files }: { network: PublicNetwork; files: FileStore },
  { source, format, storageKey, deadlineMs, signal, onAddresses }: DocumentFetch,
): Promise<FetchedDocument> {
  const read = network.readUrl(source.url)
  if ('fault' in read) throw new FetchFailure('blocked_address')
  await files.requireSpace()
  const headers = { 'user-agent': 'Platen', accept: '*/*', ...authorization(source) }
  return await fetchFile(
    network,
    { url: read.url, headers, limitBytes: DOCUMENT_MAX_BYTES, deadlineMs, signal, onAddresses },
    async (content, contentType) => {
      const hash = createHash('sha256')
      let sizeBytes = 0
      async function* hashed() {
        for await (const chunk of checked(content, { format, contentType })) {
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
function authorization({ credentials }: DocumentFetch['source']): Record<string, string> {
  if (!credentials) return {}
  const text = Buffer.from(`${credentials.user}:${credentials.password}`)
  return { authorization: `Basic ${text.toString('base64')}` }
}

interface Expected {
  format: DocumentFormat
  /** The type of the response. */
  contentType: string
}

/** @throws InvalidDocument after the first bytes. */
async function* checked(content: AsyncIterable<Buffer>, expected: Expected): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of content) {
    if (start === undefined) {
      yield chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < FORMAT_START_BYTES) continue
    checkStart(start, expected)
    yield start
    start = undefined
  }
  if (start === undefined) return
  checkStart(start, expected)
  yield start
}

function checkStart(start: Buffer, { format, contentType }: Expected): void {
  if (start.length === 0) throw new InvalidDocument('empty')
  const recognized = recognize(start)
  if (format !== 'raw') {
    if (!matchesFormat(recognized, format)) throw new InvalidDocument(`not_${format}`)
    return
  }
  // Some programs send labels with the content type of their pages.
  if (recognized.format !== undefined) return
  if (recognized.name === WEB_PAGE || PAGE_TYPE.test(contentType)) throw new InvalidDocument('web_page')
  if (JSON_TYPE.test(contentType)) throw new InvalidDocument('json')
}
