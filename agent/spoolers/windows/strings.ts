/** A text of fixed length out of a driver's buffer: UTF-16, ended by a NUL unless it fills its place. Never holds half a character. */
export function textAt(buffer: Uint8Array, offsetBytes: number, units: number): string {
  const text = Buffer.from(buffer.buffer, buffer.byteOffset + offsetBytes, units * 2).toString('utf16le')
  const [beforeNul = ''] = text.split('\0', 1)
  return readable(beforeNul).trim()
}

/** Without control characters, and halves of a pair that somebody cut: they mean nothing to anybody. */
export const readable = (text: string) => text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
