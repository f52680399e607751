/** Writes a page as SVG without scripts, styles of its own or links to other files, so that it can be shown as an image. */
import type { Item, Matrix, Page } from './display-list.ts'
import { CONDENSED, MONO } from './fonts/outlines.ts'

const OUTLINES = { condensed: CONDENSED, mono: MONO }

const FILLS = { black: '', white: ' fill="#fff"', invert: ' fill="#fff" style="mix-blend-mode:difference"' }

/** @returns a document of the page's size in mm, whose units are dots. */
export function toSvg({ widthMm, heightMm, width, height, items, events }: Page): string {
  const used = new Map<string, string>()
  const body = items.map((item) => writeItem(item, used)).join('\n')
  // A line where the paper is cut.
  const cuts = events
    .filter(({ kind, y }) => kind === 'cut' && y < height)
    .map(({ y }) => `\n<path d="M0 ${y}h${width}" stroke="#888" stroke-dasharray="12 8"/>`)
    .join('')
  const glyphs = [...used].map(([id, path]) => `<path id="${id}" d="${path}"/>`).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${round(widthMm)}mm" height="${round(heightMm)}mm" viewBox="0 0 ${width} ${height}" style="isolation:isolate">
<defs>${glyphs}</defs>
<rect width="${width}" height="${height}" fill="#fff"/>
${body}${cuts}
</svg>
`
}

function writeItem(item: Item, used: Map<string, string>): string {
  const fill = FILLS[item.color]
  if (item.kind === 'path') return `<path d="${item.path}"${transform(item.matrix)}${fill}/>`
  if (item.kind === 'bitmap') {
    const blend = item.color === 'invert' ? ';mix-blend-mode:difference' : ''
    return `<image width="${item.width}" height="${item.height}"${transform(item.matrix)} preserveAspectRatio="none" style="image-rendering:pixelated${blend}" href="data:image/png;base64,${item.png}"/>`
  }
  const uses = item.glyphs.map(({ code, matrix }) => {
    const id = `${item.font.charAt(0)}${code}`
    used.set(id, OUTLINES[item.font][code]?.[1] ?? '')
    return `<use href="#${id}"${transform(matrix)}/>`
  })
  return `<g role="img" aria-label="${escapeXml(item.text)}"${fill}>${uses.join('')}</g>`
}

function transform([a, b, c, d, e, f]: Matrix): string {
  if (a === 1 && b === 0 && c === 0 && d === 1) return e || f ? ` transform="translate(${round(e)} ${round(f)})"` : ''
  return ` transform="matrix(${[a, b, c, d, e, f].map(round).join(' ')})"`
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000

/** Replaces control characters and lone surrogates, which XML does not allow, by spaces. */
const escapeXml = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ').replace(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`)
