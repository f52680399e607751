/**
 * Looks whether a PDF can be printed at all, before a spooler gets it: filters give a hopeless one up in ways that look like anything but
 * that, and some hold up the printer's next jobs. Whatever the PDF library of CUPS can mend passes.
 */
import { open } from 'node:fs/promises'
import { SpoolerRefusal } from '../spooler.ts'

/** Readers look for the header so far, since some programs put something before it (ISO 32000-1, annex H.3.4.1). */
const HEADER_WITHIN_BYTES = 1024

const CHUNK_BYTES = 256 * 1024

/** One of them names the document's root, or there are no pages: a trailer, or the stream that takes its place since PDF 1.5. */
const ROOTS = ['trailer', '/XRef']

/** No mark is longer: chunks overlap by so much. */
const OVERLAP_BYTES = 8

/**
 * Reads from the end, where the root is named unless something was appended; never holds more than a chunk.
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

    const start = await read(0, Math.min(size, HEADER_WITHIN_BYTES))
    if (!start.includes('%PDF-')) throw refusal('it does not begin as a PDF does')
    for (let end = size; end > 0; end -= CHUNK_BYTES - OVERLAP_BYTES) {
      const from = Math.max(0, end - CHUNK_BYTES)
      const chunk = await read(from, end - from)
      if (ROOTS.some((mark) => chunk.includes(mark))) return
    }
    throw refusal('its end is missing or damaged')
  } finally {
    await handle.close()
  }
}

const refusal = (why: string) =>
  new SpoolerRefusal(`The document cannot be printed: ${why}. Nothing was printed.`, ['document-format-error'])
