/** Encodings by the byte order mark. Windows PowerShell writes UTF-16 with `>`. */
const ENCODINGS: Record<string, string> = { fffe: 'utf-16le', feff: 'utf-16be' }

/** The text of a file that a user wrote: UTF-8, or UTF-16 with a byte order mark. */
export function decodeText(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex')
  return new TextDecoder(ENCODINGS[mark] ?? 'utf-8').decode(bytes)
}
