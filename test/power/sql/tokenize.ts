/** The tokens of SQL in a template or string of TypeScript. Comments and white space are left out. */
export interface Token {
  type: 'word' | 'text' | 'operator' | 'punctuation' | 'hole'
  text: string
  start: number
  end: number
  /** No white space is before it. */
  isGlued: boolean
}

/** A number, a parameter and a quoted text are texts. A hole is found by its braces before. */
const PATTERNS: [type: Token['type'] | 'space', pattern: RegExp][] = [
  ['space', /\s+|--[^\n]*|\/\*[\s\S]*?\*\//y],
  ['text', /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\d+|\d[\d_.]*(?:e[+-]?\d+)?/y],
  ['word', /[A-Za-z_][\w$]*(?:\.(?:[A-Za-z_][\w]*|\*))*/y],
  ['operator', /::|[-+*/<>=~!@#%^&|?]+/y],
  ['punctuation', /[\s\S]/y],
]

export function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  let isGlued = true
  let position = 0
  while (position < source.length) {
    const [type, text] = next(source, position)
    if (type === 'space') isGlued = false
    else {
      const previous = tokens.at(-1)
      // `job.${column}`, `$${n}` and `${a}_${b}` are one value.
      if (previous && isGlued && isJoined(previous, type, text)) {
        previous.text += text
        previous.end += text.length
      } else tokens.push({ type, text, start: position, end: position + text.length, isGlued })
      isGlued = true
    }
    position += text.length
  }
  return tokens
}

function next(source: string, position: number): [type: Token['type'] | 'space', text: string] {
  if (source.startsWith('${', position)) return ['hole', source.slice(position, holeEnd(source, position))]
  for (const [type, pattern] of PATTERNS) {
    pattern.lastIndex = position
    const text = pattern.exec(source)?.[0]
    if (!text) continue
    // A text can contain holes with quotes of TypeScript.
    if (text.startsWith("'") && text.includes('${')) return ['text', source.slice(position, quoteEnd(source, position))]
    return [type, text]
  }
  throw new Error('Each character is a token.')
}

/** Nested templates and texts with braces are balanced as well. */
function holeEnd(source: string, start: number): number {
  let depth = 0
  for (let i = start + 1; i < source.length; i++) {
    if (source[i] === '{') depth++
    if (source[i] === '}' && --depth === 0) return i + 1
  }
  return source.length
}

function quoteEnd(source: string, start: number): number {
  let i = start + 1
  while (i < source.length && source[i] !== "'") i = source.startsWith('${', i) ? holeEnd(source, i) : i + 1
  return i + 1
}

const isJoined = (previous: Token, type: Token['type'], text: string) =>
  (type === 'hole' && (previous.type === 'hole' || /[$.\w]$/.test(previous.text))) ||
  (previous.type === 'hole' && (type === 'word' || type === 'text' || text === '.'))
