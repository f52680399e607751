/**
 * Writes a page as SVG without scripts, styles of its own or links to other files, so that it can be shown as an image.
 */
import type { Item, Matrix, Page } from './display-list.ts'
import { CONDENSED, MONO } from './fonts/outlines.ts'

const OUTLINES = { condensed: CONDENSED, mono: MONO }

const FILLS = { black: '', white: ' fill="#fff"', invert: ' fill="#fff" style="mix-blend-mode:difference"' }

/**
 * @param charactersMax without it there is no limit. What is drawn after it is left out.
 * @returns a document of the page's size in mm, whose units are dots, and whether it has all items.
 */
export function toSvg(
  { widthMm, heightMm, width, height, items, events }: Page,
  charactersMax = Number.POSITIVE_INFINITY,
): { svg: string; isWhole: boolean } {
  const definitions = createDefinitions()
  const written: string[] = []
  let characters = 0
  for (const item of items) {
    const text = writeItem(item, definitions)
    characters += text.length
    if (characters + definitions.characters() > charactersMax) break
    written.push(text)
  }
  const body = written.join('\n')
  // A line where the paper is cut.
  const cuts = events
    .filter(({ kind, y }) => kind === 'cut' && y < height)
    .map(({ y }) => `\n<path d="M0 ${y}h${width}" stroke="#888" stroke-dasharray="12 8"/>`)
    .join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${round(widthMm)}mm" height="${round(heightMm)}mm" viewBox="0 0 ${width} ${height}" style="isolation:isolate">
<defs>${definitions.texts.join('')}</defs>
<rect width="${width}" height="${height}" fill="#fff"/>
${body}${cuts}
</svg>
`
  return { svg, isWhole: written.length === items.length }
}

/** Glyphs and bitmaps, each written once. */
function createDefinitions() {
  const texts: string[] = []
  const ids = new Map<string, string>()
  let characters = 0
  return {
    texts,
    characters: () => characters,

    /** @param key of the element, whose id can be the key. @param write called for a new key. */
    use(key: string, write: (id: string) => string, id = key): string {
      const known = ids.get(key)
      if (known !== undefined) return known
      const text = write(id)
      ids.set(key, id)
      texts.push(text)
      characters += text.length
      return id
    },
  }
}

function writeItem(item: Item, definitions: ReturnType<typeof createDefinitions>): string {
  const fill = FILLS[item.color]
  if (item.kind === 'path') return `<path d="${item.path}"${transform(item.matrix)}${fill}/>`
  if (item.kind === 'bitmap') {
    const image = `width="${item.width}" height="${item.height}" preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,${item.png}"/>`
    const id = definitions.use(image, (id) => `<image id="${id}" ${image}`, `b${definitions.texts.length}`)
    const blend = item.color === 'invert' ? ' style="mix-blend-mode:difference"' : ''
    return `<use href="#${id}"${transform(item.matrix)}${blend}/>`
  }
  const uses = item.glyphs.map(({ code, matrix }) => {
    const id = definitions.use(
      `${item.font.charAt(0)}${code}`,
      (id) => `<path id="${id}" d="${OUTLINES[item.font][code]?.[1] ?? ''}"/>`,
    )
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
