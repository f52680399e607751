/** Code 128 as printers encode it: which subset each character is in decides the width of the symbol. */

const [START_A, START_B, START_C] = [103, 104, 105] as const
const [FNC1, CODE_A, CODE_B, CODE_C] = [102, 101, 100, 99] as const

type Subset = 'A' | 'B' | 'C'

/** Code words and the text below the bars. */
export interface Code128 {
  words: number[]
  text: string
}

const START: Record<Subset, number> = { A: START_A, B: START_B, C: START_C }

/** The characters after `>` in a field of `^BC` without mode. */
const INVOCATIONS: Record<string, number | undefined> = {
  '<': 62,
  '0': 30,
  '=': 94,
  '1': 95,
  '2': 96,
  '3': 97,
  '4': 98,
  '5': CODE_C,
  '6': CODE_B,
  '7': CODE_A,
  '8': FNC1, // biome-ignore format: a table
}

const STARTS: Record<string, Subset | undefined> = { '9': 'A', ':': 'B', ';': 'C' }

/** Encodes a field without mode: subset B, changed by invocations such as `>;`. */
export function encodeInvocations(data: string): Code128 {
  let at = 0
  let subset: Subset = 'B'
  if (data[0] === '>' && STARTS[data[1] ?? '']) {
    subset = STARTS[data[1] ?? ''] ?? 'B'
    at = 2
  }
  const words = [START[subset]]
  let text = ''
  while (at < data.length) {
    const char = data.charAt(at)
    const next = data.charAt(at + 1)
    const invocation = char === '>' ? INVOCATIONS[next] : undefined
    if (invocation !== undefined) {
      words.push(invocation)
      if (next === '<' || next === '0' || next === '=') text += next === '<' ? '^' : next === '0' ? '>' : '~'
      if (invocation === CODE_C) subset = 'C'
      // The same values are functions in their own subset.
      if (invocation === CODE_B && subset !== 'B') subset = 'B'
      if (invocation === CODE_A && subset !== 'A') subset = 'A'
      at += 2
    } else if (char === '>' && STARTS[next]) {
      // Printers ignore a second start.
      at += 2
    } else if (subset === 'C') {
      if (/^\d\d$/.test(char + next)) {
        words.push(Number(char + next))
        text += char + next
        at += 2
      } else {
        // A single character cannot be in subset C.
        words.push(CODE_B)
        subset = 'B'
      }
    } else if (subset === 'A' && /^\d\d$/.test(char + next)) {
      // Subset A is written as the numbers of its characters.
      const word = Number(char + next)
      words.push(word)
      if (word < 64) text += String.fromCharCode(word + 32)
      at += 2
    } else {
      const word = toWord(char, subset)
      if (word !== undefined) {
        words.push(word)
        text += char
      }
      at++
    }
  }
  return { words, text }
}

function toWord(char: string, subset: 'A' | 'B'): number | undefined {
  const code = char.charCodeAt(0)
  if (code >= 32 && code < (subset === 'A' ? 96 : 128)) return code - 32
  return subset === 'A' && code < 32 ? code + 64 : undefined
}

/** FNC1 in the data of `encodeAutomatically`. */
export const FNC1_CHARACTER = '\u00f1'

/** Encodes in the shortest common way: digits in subset C where at least four follow each other, else in B. */
export function encodeAutomatically(data: string): Code128 {
  const words: number[] = []
  let subset: Subset | undefined
  const change = (to: Subset) => {
    if (subset === to) return
    words.push(subset ? { A: CODE_A, B: CODE_B, C: CODE_C }[to] : START[to])
    subset = to
  }
  let at = 0
  while (at < data.length) {
    const char = data.charAt(at)
    const digits = /^\d*/.exec(data.slice(at, at + 80))?.[0].length ?? 0
    const enough = subset === 'C' ? 2 : 4
    if (char === FNC1_CHARACTER) {
      if (!subset) change(/^\d\d/.test(data.slice(at + 1)) ? 'C' : 'B')
      words.push(FNC1)
      at++
    } else if (digits >= enough || (digits >= 2 && digits === data.length && !subset)) {
      // An odd digit goes before the pairs, unless the symbol already is in subset C.
      if (digits % 2 && subset !== 'C') {
        change(subset ?? 'B')
        words.push(data.charCodeAt(at) - 32)
        at++
      }
      change('C')
      for (; /^\d\d$/.test(data.slice(at, at + 2)); at += 2) words.push(Number(data.slice(at, at + 2)))
    } else {
      const control = char.charCodeAt(0) < 32
      if (control) change('A')
      else if (subset !== 'A' || char.charCodeAt(0) >= 96) change('B')
      const word = toWord(char, subset === 'A' ? 'A' : 'B')
      if (word !== undefined) words.push(word)
      at++
    }
  }
  return { words, text: data.replaceAll(FNC1_CHARACTER, '') }
}

/** @returns the symbol as `bwip-js` takes raw code words, which adds the check word and the stop. */
export const toRawText = ({ words }: Code128): string =>
  words.map((word) => `^${String(word).padStart(3, '0')}`).join('')
