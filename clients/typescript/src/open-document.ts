/** The document of a job, from what a program has of it. Uses the file system where there is one: Node, Deno and Bun, not workers. */
import { PlatenError } from './errors.ts'

export interface DocumentSource {
  /** The document. A `Blob` of a file, as that of `openAsBlob` of Node or `Bun.file`, is streamed. Nothing is encoded as base64. */
  file?: Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | undefined
  /** The name of the file with the document, or its `file:` URL. The file is streamed. For Node, Deno and Bun. */
  path?: string | URL | undefined
}

/** The part of `node:fs` that is used, because the library is compiled without the types of Node. */
interface FileSystem {
  openAsBlob(path: string | URL): Promise<Blob>
  promises: { stat(path: string | URL): Promise<{ isFile(): boolean }> }
}

/**
 * @returns undefined for a job without a document of its own.
 * @throws PlatenError if the document is not bytes, or its file is not readable.
 */
export async function openDocument({ file, path }: DocumentSource): Promise<Blob | undefined> {
  const hasFile = file !== undefined && file !== null
  if (path === undefined || path === null) return hasFile ? toBlob(file) : undefined
  if (hasFile) throw new PlatenError('Send `file` or `path`, not both.')
  const fs = getFileSystem()
  if (!fs) throw new PlatenError('`path` needs the file system of Node, Deno or Bun. Send the bytes as `file`.')
  return await openFile(fs, path)
}

/** A `Blob` of anything else has its text, such as "[object Object]", which would be printed. */
function toBlob(file: NonNullable<DocumentSource['file']>): Blob {
  if (file instanceof Blob) return file
  if (ArrayBuffer.isView(file) || file instanceof ArrayBuffer) return new Blob([file])
  throw new PlatenError(
    '`file` is the bytes of the document; use `path` for a file name. It must be a `Blob`, a `Uint8Array` or an `ArrayBuffer`.',
  )
}

async function openFile(fs: FileSystem, path: string | URL): Promise<Blob> {
  try {
    if (!(await fs.promises.stat(path)).isFile()) throw new Error('it is not a file')
    return await fs.openAsBlob(path)
  } catch (error) {
    throw new PlatenError(`The file of \`path\` is not readable: ${(error as Error).message}`, { cause: error })
  }
}

/** It is not imported, because an import would fail where no file system exists. */
function getFileSystem(): FileSystem | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): FileSystem | undefined } }
  return process?.getBuiltinModule?.('node:fs')
}
