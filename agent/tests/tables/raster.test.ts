/** Dots for raw printers. */
import { proves } from '@platen/test/harness/rules.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeEscpos } from '../../spoolers/raster/encode-escpos.ts'
import { readEscpos } from '../read-raster.ts'

/** Commands that an ESC/POS printer executes as soon as it has received them, also inside images. */
const REAL_TIME = ['\x10\x04', '\x10\x05', '\x10\x14']

test('the dots of an image are never a command that opens the cash drawer, in a row, across rows and across images', () => {
  proves('rasterize.drawer')
  const byte = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0x10, 0x04, 0x05, 0x14) }, fc.nat(255))
  const image = fc.record({
    bytesPerRow: fc.integer({ min: 1, max: 8 }),
    height: fc.integer({ min: 0, max: 250 }),
    pattern: fc.array(byte, { minLength: 1, maxLength: 64 }),
  })
  const check = ({ bytesPerRow, height, pattern }: { bytesPerRow: number; height: number; pattern: number[] }) => {
    const bytes = Array.from({ length: bytesPerRow * height }, (_, at) => pattern[at % pattern.length] ?? 0)
    const [width, dots] = [bytesPerRow * 8, Buffer.from(bytes)]
    const data = encodeEscpos({ width, height, bytesPerRow, dots })
    for (const command of REAL_TIME) expect(data.includes(command, 0, 'latin1')).toBe(false)
    const [receipt] = readEscpos(data)
    expect(receipt?.height).toBe(height)
    // No dot is missing, and one is added for each command.
    const commands = bytes.filter((_, at) => REAL_TIME.includes(dots.toString('latin1', at, at + 2)))
    let added = 0
    for (let at = 0; at < width * height; at++) {
      const isDrawn = ((dots[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0
      const isPrinted = receipt?.isBlack(at % width, Math.floor(at / width)) ?? false
      if (isDrawn && !isPrinted) expect.fail(`the dot ${at} is missing`)
      if (isPrinted && !isDrawn) added++
    }
    expect(added).toBe(commands.length)
  }
  fc.assert(fc.property(image, check), { numRuns: 100 })
})
