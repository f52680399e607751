/** Line and block characters of the code pages, which the fonts lack, as rectangles of a cell. */
import { rectangle } from '../canvas.ts'

/** Lines to the left, right, up and down of the middle: 0 none, 1 single, 2 double. */
const LINES: Record<string, string | undefined> = {
  '─': '1100',
  '│': '0011',
  '┌': '0101',
  '┐': '1001',
  '└': '0110',
  '┘': '1010',
  '├': '0111',
  '┤': '1011',
  '┬': '1101',
  '┴': '1110', // biome-ignore format: a table
  '┼': '1111',
  '═': '2200',
  '║': '0022',
  '╔': '0202',
  '╗': '2002',
  '╚': '0220',
  '╝': '2020',
  '╠': '0222',
  '╣': '2022',
  '╦': '2202',
  '╩': '2220',
  '╬': '2222',
  '╒': '0201',
  '╓': '0102',
  '╕': '2001',
  '╖': '1002',
  '╘': '0210',
  '╙': '0120',
  '╛': '2010',
  '╜': '1020',
  '╞': '0211',
  '╟': '0122',
  '╡': '2011',
  '╢': '1022',
  '╤': '2201',
  '╥': '1102',
  '╧': '2210',
  '╨': '1120',
  '╪': '2211',
  '╫': '1122',
}

/** Left, top, right and bottom in eighths of the cell. */
const BLOCKS: Record<string, readonly [number, number, number, number] | undefined> = {
  '█': [0, 0, 8, 8],
  '▄': [0, 4, 8, 8],
  '▀': [0, 0, 8, 4],
  '▌': [0, 0, 4, 8],
  '▐': [4, 0, 8, 8],
  '■': [1, 2, 7, 6],
  '▬': [0, 3, 8, 5], // biome-ignore format: a table
}

/** Every how many dots one is black. */
const SHADES: Record<string, number | undefined> = { '░': 4, '▒': 2, '▓': 1.34 }

/** @returns the rectangles of the character, undefined if a font has it. */
export function drawBoxCharacter(char: string, width: number, height: number): string | undefined {
  const block = BLOCKS[char]
  if (block) {
    const [left, top, right, bottom] = block
    const [x, y] = [(left / 8) * width, (top / 8) * height]
    return rectangle(x, y, ((right - left) / 8) * width, ((bottom - top) / 8) * height)
  }
  const shade = SHADES[char]
  if (shade) return drawShade(shade, width, height)
  const lines = LINES[char]
  return lines && drawLines([...lines].map(Number), width, height)
}

function drawLines([left = 0, right = 0, up = 0, down = 0]: number[], width: number, height: number): string {
  const thick = Math.max(1, Math.round(width / 6))
  const [cx, cy] = [Math.floor((width - thick) / 2), Math.floor((height - thick) / 2)]
  // Half the distance between double lines.
  const offsets = (count: number) => (count === 2 ? [-thick, thick] : count === 1 ? [0] : [])
  const reachX = Math.max(up, down) === 2 ? thick : 0
  const reachY = Math.max(left, right) === 2 ? thick : 0
  let path = ''
  for (const dy of offsets(left)) path += rectangle(0, cy + dy, cx + thick + reachX, thick)
  for (const dy of offsets(right)) path += rectangle(cx - reachX, cy + dy, width - cx + reachX, thick)
  for (const dx of offsets(up)) path += rectangle(cx + dx, 0, thick, cy + thick + reachY)
  for (const dx of offsets(down)) path += rectangle(cx + dx, cy - reachY, thick, height - cy + reachY)
  return path
}

function drawShade(every: number, width: number, height: number): string {
  let path = ''
  for (let y = 0; y < height; y += 2) {
    for (let x = (y / 2) % 2 ? every : 0; x < width; x += every * 2)
      path += rectangle(Math.floor(x), y, every < 2 ? 2 : 1, every < 2 ? 2 : 1)
  }
  return path
}
