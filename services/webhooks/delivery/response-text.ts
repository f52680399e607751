/** The stored part of a response: its beginning, as text that a column can store and a page can show. */
import type { PublicResponse } from '@platen/runtime/fetch/exchange.ts'

/** The rest of a longer response is not read. */
const READ_MAX_BYTES = 16 * 1024
const STORED_MAX_BYTES = 1024

/** All control characters except tabs and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/**
 * Reads the response to its end, but at most 16 KB.
 *
 * @returns its first 1,024 bytes; null if it is compressed, because nothing is decompressed.
 * @throws the error of the body.
 */
export async function readResponse({ body, headers }: PublicResponse): Promise<string | null> {
  const stored: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    if (sizeBytes < STORED_MAX_BYTES) stored.push(chunk.subarray(0, STORED_MAX_BYTES - sizeBytes))
    sizeBytes += chunk.length
    if (sizeBytes > READ_MAX_BYTES) break
  }
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity'
  return isPlain ? toText(Buffer.concat(stored)) : null
}

/** At most 1,024 bytes of UTF-8 without partial and control characters. */
export function toText(bytes: Buffer): string {
  // `stream` omits a partial character at the end instead of replacing it.
  const text = new TextDecoder()
    .decode(bytes.subarray(0, STORED_MAX_BYTES), { stream: true })
    .replace(CONTROLS, '\ufffd')
  // A replacement character takes three bytes.
  const encoded = Buffer.from(text)
  return encoded.length <= STORED_MAX_BYTES
    ? text
    : new TextDecoder().decode(encoded.subarray(0, STORED_MAX_BYTES), { stream: true })
}
