/**
 * Writes a tar archive (POSIX.1-1988, "ustar") of small texts. Kept by hand: 30 lines, and a library would be in every
 * package.
 */
const BLOCK_BYTES = 512

export function tar(files: Record<string, string>, modifiedAt: Date): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text)
    return [header(name, content.length, modifiedAt), content, Buffer.alloc(-content.length & (BLOCK_BYTES - 1))]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)])
}

/** @param name of at most 100 bytes. */
function header(name: string, sizeBytes: number, modifiedAt: Date): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for the archive`)
  const block = Buffer.alloc(BLOCK_BYTES)
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`
  block.write(name, 0)
  block.write(octal(0o600, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(sizeBytes, 12), 124)
  block.write(octal(Math.floor(modifiedAt.getTime() / 1000), 12), 136)
  // The checksum is computed with spaces in its field.
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
