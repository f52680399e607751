/**
 * Rejects PDFs that cannot be printed before a spooler gets them. The filters of CUPS report misleading errors for such a PDF, and some
 * block later jobs of the printer. A damaged PDF that CUPS can repair is accepted.
 */
import { open } from 'node:fs/promises'
import { SpoolerRefusal } from '../spooler.ts'

/** Readers accept other data before the header up to this offset (ISO 32000-1, annex H.3.4.1). */
const HEADER_SEARCH_BYTES = 1024

const CHUNK_BYTES = 256 * 1024

/** A PDF needs a trailer, or the cross-reference stream that replaces it since PDF 1.5, to find its pages. */
const TRAILER_MARKS = ['trailer', '/XRef']

/** Chunks overlap by the length of the longest mark. */
const OVERLAP_BYTES = 8

/**
 * Reads the file backwards, because the trailer is usually at the end. Holds one chunk in memory.
 *
 * @throws SpoolerRefusal `document-format-error`.
 */
export async function checkPdf(file: string): Promise<void> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const buffer = Buffer.alloc(Math.min(size, CHUNK_BYTES))
    const read = async (from: number, length: number) =>
      buffer.subarray(0, (await handle.read(buffer, 0, length, from)).bytesRead)

    const start = await read(0, Math.min(size, HEADER_SEARCH_BYTES))
    if (!start.includes('%PDF-')) throw createRefusal(`it has no PDF header in its first ${HEADER_SEARCH_BYTES} bytes`)
    for (let end = size; end > 0; end -= CHUNK_BYTES - OVERLAP_BYTES) {
      const from = Math.max(0, end - CHUNK_BYTES)
      const chunk = await read(from, end - from)
      if (TRAILER_MARKS.some((mark) => chunk.includes(mark))) return
    }
    throw createRefusal('it has neither a trailer nor a cross-reference stream, so its end is missing or damaged')
  } finally {
    await handle.close()
  }
}

const createRefusal = (reason: string) =>
  new SpoolerRefusal(`The document cannot be printed: ${reason}. Nothing was printed.`, ['document-format-error'])
