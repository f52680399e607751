/** Reads a UTF-16 text of fixed length from a buffer of a driver. It ends with a NUL unless it has the full length. */
export function readText(buffer: Uint8Array, offsetBytes: number, units: number): string {
  const text = Buffer.from(buffer.buffer, buffer.byteOffset + offsetBytes, units * 2).toString('utf16le')
  const [beforeNul = ''] = text.split('\0', 1)
  return removeControls(beforeNul).trim()
}

/** Removes control characters and unpaired surrogates. */
export const removeControls = (text: string) => text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
