/**
 * The document of a job, from what a program has of it. Uses the file system where there is one: Node, Deno and Bun,
 * not workers.
 */
import { getBuiltin } from './builtin.ts'
import { PlatenError } from './errors.ts'

/**
 * The bytes of a document, or a stream of them: what pdf-lib, puppeteer, `createReadStream` and the body of a `fetch`
 * are.
 */
export type DocumentContent =
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>

export interface DocumentSource {
  /**
   * The document. A `Blob` of a file, as that of `openAsBlob` of Node or `Bun.file`, is streamed. A stream is read to
   * its end before it is sent, because an attempt that failed is repeated. Nothing is encoded as base64.
   */
  file?: DocumentContent | undefined
  /** The name of the file with the document, or its `file:` URL. The file is streamed. For Node, Deno and Bun. */
  path?: string | URL | undefined
}

/** What a `Blob` is made of. Memory that processes share is refused by its constructor. */
type Bytes = ArrayBuffer | Uint8Array<ArrayBuffer>

/** The part of `node:fs` that is used. */
interface FileSystem {
  openAsBlob(path: string | URL): Promise<Blob>
  promises: { stat(path: string | URL): Promise<{ isFile(): boolean }> }
}

/** The service accepts no larger document. A stream can be endless. */
const DOCUMENT_MAX_BYTES = 25 * 1024 * 1024

/**
 * @returns undefined for a job without a document of its own.
 * @throws PlatenError if the document is not bytes, or its file is not readable.
 */
export async function openDocument({ file, path }: DocumentSource): Promise<Blob | undefined> {
  const hasFile = file !== undefined && file !== null
  if (path === undefined || path === null) return hasFile ? await toBlob(file) : undefined
  if (hasFile) throw new PlatenError('Send `file` or `path`, not both.')
  const fs = getBuiltin<FileSystem>('node:fs')
  if (!fs) throw new PlatenError('`path` needs the file system of Node, Deno or Bun. Send the bytes as `file`.')
  return await openFile(fs, path)
}

/** A `Blob` of anything else has its text, such as "[object Object]", which would be printed. */
async function toBlob(file: DocumentContent): Promise<Blob> {
  if (file instanceof Blob) return file
  if (isBytes(file)) return new Blob([file as Bytes])
  if (typeof file === 'object' && Symbol.asyncIterator in file) return await readStream(file)
  throw new PlatenError(
    '`file` is the bytes of the document; use `path` for a file name. It must be a `Blob`, a `Uint8Array`, an `ArrayBuffer` or a stream of bytes.',
  )
}

async function readStream(stream: AsyncIterable<unknown>): Promise<Blob> {
  const chunks: Bytes[] = []
  let sizeBytes = 0
  for await (const chunk of stream) {
    if (!isBytes(chunk))
      throw new PlatenError('`file` is a stream of texts. It must be one of bytes: open it without an encoding.')
    sizeBytes += chunk.byteLength
    if (sizeBytes > DOCUMENT_MAX_BYTES) throw new PlatenError('The stream of `file` is longer than 25 MB.')
    chunks.push(chunk as Bytes)
  }
  return new Blob(chunks)
}

const isBytes = (value: unknown): value is ArrayBuffer | ArrayBufferView =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer

async function openFile(fs: FileSystem, path: string | URL): Promise<Blob> {
  try {
    if (!(await fs.promises.stat(path)).isFile()) throw new Error('it is not a file')
    return await fs.openAsBlob(path)
  } catch (error) {
    throw new PlatenError(`The file of \`path\` is not readable: ${(error as Error).message}`, { cause: error })
  }
}
