/** What is kept of an answer: its beginning, as text that a column takes and a page can show. */
import type { PublicResponse } from '@platen/runtime/fetch/exchange.ts'

/** So much of an answer is read; a receiver that says more is not listened to. */
const READ_MAX_BYTES = 16 * 1024
const KEPT_MAX_BYTES = 1024

/** Tabs and line breaks stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/**
 * Reads the answer to its end or to 16 KB.
 *
 * @returns its first 1,024 bytes; null when it is packed, since nothing is unpacked.
 * @throws what the body fails with.
 */
export async function readAnswer({ body, headers }: PublicResponse): Promise<string | null> {
  const kept: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    if (sizeBytes < KEPT_MAX_BYTES) kept.push(chunk.subarray(0, KEPT_MAX_BYTES - sizeBytes))
    sizeBytes += chunk.length
    if (sizeBytes > READ_MAX_BYTES) break
  }
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity'
  return isPlain ? toText(Buffer.concat(kept)) : null
}

/** At most 1,024 bytes of UTF-8 that hold no half character, and nothing that a terminal would obey. */
export function toText(bytes: Buffer): string {
  // Streaming leaves out a character that the cut went through, instead of replacing it.
  const text = new TextDecoder().decode(bytes.subarray(0, KEPT_MAX_BYTES), { stream: true }).replace(CONTROLS, '\ufffd')
  // A replaced byte takes three.
  const encoded = Buffer.from(text)
  return encoded.length <= KEPT_MAX_BYTES
    ? text
    : new TextDecoder().decode(encoded.subarray(0, KEPT_MAX_BYTES), { stream: true })
}
