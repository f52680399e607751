/**
 * Splits ZPL into commands. The characters that begin commands and separate parameters can be changed by the document
 * itself.
 */
import { TAKES_TEXT } from './other-commands.ts'

export interface Command {
  /**
   * `^FO`, `~DG`; `^A` and `^B…` include the letter that follows. The prefix is that of the default, also if the
   * document changes it.
   */
  name: string
  /** The text as it was received, one character per byte, without line breaks except in data. */
  text: string
  /** The position of its first byte. */
  offset: number
}

/** The characters of a document at one point, one byte each. */
export interface Syntax {
  caret: string
  tilde: string
  delimiter: string
}

const DEFAULT_SYNTAX: Syntax = { caret: '^', tilde: '~', delimiter: ',' }

/** Reads commands one after another. Commands change `syntax`, which applies from the next one. */
export class Tokenizer {
  readonly syntax: Syntax = { ...DEFAULT_SYNTAX }
  readonly #isKnown: (name: string) => boolean
  readonly #source: string
  #at = 0

  /** @param source one character per byte. */
  constructor(source: string, isKnown: (name: string) => boolean) {
    this.#source = source
    this.#isKnown = isKnown
  }

  next(): Command | undefined {
    const { caret } = this.syntax
    // A prefix directly before another one is no command.
    while (this.#at < this.#source.length && !(this.#isPrefix(this.#at) && !this.#isPrefix(this.#at + 1))) this.#at++
    if (this.#at >= this.#source.length) return undefined
    const offset = this.#at
    const prefix = this.#source[offset] === caret ? '^' : '~'
    const letters = this.#source.slice(offset + 1, offset + 3)
    const short = letters.length < 2 || this.#isPrefix(offset + 2)
    const name = short ? `${prefix}${letters.slice(0, 1)}` : `${prefix}${letters.toUpperCase()}`
    this.#at = offset + 1 + (short ? 1 : 2)
    // The prefix itself follows, so `letters` is the new one.
    if (/^\^C[CDT]$|^~C[CDT]$/.test(name)) {
      const text = this.#source.charAt(this.#at)
      this.#at++
      return { name, text, offset }
    }
    const start = this.#at
    const binary = this.#binaryLength(name, start)
    if (binary !== undefined) this.#at = Math.min(this.#source.length, binary)
    else this.#at = this.#end(name, start)
    const text = this.#source.slice(start, this.#at)
    return { name, text: binary === undefined ? text.replace(/[\r\n]/g, '') : text, offset }
  }

  #isPrefix(at: number): boolean {
    return this.#source[at] === this.syntax.caret || this.#source[at] === this.syntax.tilde
  }

  /** A tilde in field data is data, unless it begins a known command. */
  #end(name: string, start: number): number {
    const { caret, tilde } = this.syntax
    let at = start
    for (; at < this.#source.length; at++) {
      if (this.#source[at] === caret) break
      if (this.#source[at] !== tilde) continue
      if (!TAKES_TEXT.has(name) || this.#isKnown(`~${this.#source.slice(at + 1, at + 3).toUpperCase()}`)) break
    }
    return at
  }

  /** @returns the end of a command that contains binary data of a stated length, otherwise undefined. */
  #binaryLength(name: string, start: number): number | undefined {
    if (name !== '^GF' && name !== '~DY') return undefined
    const { delimiter } = this.syntax
    const head = this.#source.slice(start, start + 120).split(delimiter, name === '^GF' ? 5 : 6)
    const [format, length, fields] = name === '^GF' ? [head[0], head[1], 4] : [head[1], head[3], 5]
    if (format?.trim().toUpperCase() !== 'B' || head.length <= fields) return undefined
    const bytes = Number.parseInt(length ?? '', 10)
    const data = start + head.slice(0, fields).join(delimiter).length + 1
    // The data may be encoded in characters all the same.
    if (!(bytes >= 0) || /^:[BZ]64:/.test(this.#source.slice(data, data + 5))) return undefined
    return data + bytes
  }
}
