/**
 * The graphic that the driver for ZPL printers of CUPS makes of a page: compressed hexadecimal digits, four dots each.
 */

const GRAPHIC = /~DGR:CUPS\.GRF,\d+,(\d+),\n([^~^]*)/
const WIDTH = /\^PW(\d+)/

/** @returns the width of the graphic, and the left, top, right and bottom edge of its ink, in dots. */
export function readZplGraphic(zpl: string): { width: number; ink: [number, number, number, number] } {
  const [, bytesPerLine, digits = ''] = GRAPHIC.exec(zpl) ?? []
  const lines = decompress(digits, Number(bytesPerLine) * 2)
  const black = lines.flatMap((line, y) => [...line].flatMap((digit, x) => (digit === '0' ? [] : [{ x, y }])))
  const [xs, ys] = [black.map(({ x }) => x * 4), black.map(({ y }) => y)]
  const ink: [number, number, number, number] = [
    Math.min(...xs),
    Math.min(...ys),
    Math.max(...xs) + 4,
    Math.max(...ys) + 1,
  ]
  return { width: Number(WIDTH.exec(zpl)?.[1]), ink }
}

/**
 * "G" to "Y" repeat the next digit 1 to 19 times, "g" to "z" 20 to 400 times. "," fills the line with 0, ":" repeats
 * the line before.
 */
function decompress(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  let count = 0
  for (const character of text.replaceAll('\n', '')) {
    if (character === ':') line = lines.at(-1) ?? ''
    else if (character === ',') line = line.padEnd(width, '0')
    else if (/[G-Y]/.test(character)) count += character.charCodeAt(0) - 'F'.charCodeAt(0)
    else if (/[g-z]/.test(character)) count += 20 * (character.charCodeAt(0) - 'f'.charCodeAt(0))
    else {
      line += character.repeat(count || 1)
      count = 0
    }
    if (line.length < width) continue
    lines.push(line)
    line = ''
  }
  return lines
}
