/**
 * Reads and replaces dictionaries of a document that PDFium has written with `SAVE.COMPLETE`: it has one table of
 * objects and no object streams. PDFium has no functions for dictionaries of the catalog. Pure.
 */

/** A value in the text of the document. Strings and numbers have only their place. */
export interface Value {
  /** The number of the object that contains it. */
  object: number
  start: number
  end: number
  reference?: number
  /** The name as written, without the slash. */
  name?: string
  items?: Value[]
  entries?: Map<string, Value>
}

const DEPTH_MAX = 30
const VALUES_MAX = 1_000_000

const SPACE = /(?:[\0\t\n\f\r ]|%[^\r\n]*)*/y
const REFERENCE = /(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/y
const NAME = /\/([^\0\t\n\f\r ()<>[\]{}/%]*)/y
const OTHER = /[^\0\t\n\f\r ()<>[\]{}/%]+/y
const HEX = /<[^<>]*>/y
const HEADER = /\s*\d+\s+\d+\s+obj\b/y

export class WrittenObjects {
  readonly #text: string
  readonly #offsets: Map<number, number>
  readonly #tableAt: number
  readonly #trailer: Value
  readonly #replaced = new Map<number, { value: Value; text: string }[]>()
  #values = 0

  /** @throws Error for a document of another form, as all methods. */
  constructor(pdf: Buffer) {
    this.#text = pdf.toString('latin1')
    const [, tableAt] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(this.#text.slice(-100)) ?? []
    this.#tableAt = Number(tableAt)
    const table = readTable(this.#text, this.#tableAt)
    this.#offsets = table.offsets
    this.#trailer = this.#parse(table.trailerAt, 0, 0)
  }

  get root(): Value | undefined {
    return this.get(this.#trailer, 'Root')
  }

  /** @returns the entry of a dictionary, behind references. */
  get(value: Value | undefined, name: string): Value | undefined {
    return this.resolve(value?.entries?.get(name))
  }

  resolve(value: Value | undefined): Value | undefined {
    let found = value
    for (let depth = 0; found?.reference !== undefined; depth++) {
      if (depth > DEPTH_MAX) throw new Error('The references have no end.')
      found = this.#read(found.reference)
    }
    return found
  }

  /** The entries of a dictionary as text, without some of them. */
  write(dictionary: Value, without: string[]): string {
    const kept = [...(dictionary.entries ?? [])].filter(([name]) => !without.includes(name))
    return kept.map(([name, { start, end }]) => `/${name} ${this.#text.slice(start, end)}`).join(' ')
  }

  replace(value: Value, text: string): void {
    this.#replaced.set(value.object, [...(this.#replaced.get(value.object) ?? []), { value, text }])
  }

  /** @returns the document with an update that contains the replaced objects. */
  update(): Buffer {
    let update = '\n'
    const rows = [...this.#replaced].map(([number, changes]) => {
      const offset = this.#text.length + update.length
      const { start, end } = this.#read(number) ?? missing(number)
      let [object, at] = ['', start]
      for (const { value, text } of changes.toSorted((a, b) => a.value.start - b.value.start)) {
        object += this.#text.slice(at, value.start) + text
        at = value.end
      }
      update += `${number} 0 obj\n${object}${this.#text.slice(at, end)}\nendobj\n`
      return `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`
    })
    const tableAt = this.#text.length + update.length
    const trailer = `<< ${this.write(this.#trailer, ['Prev'])} /Prev ${this.#tableAt} >>`
    update += `xref\n${rows.join('')}trailer\n${trailer}\nstartxref\n${tableAt}\n%%EOF\n`
    return Buffer.from(this.#text + update, 'latin1')
  }

  #read(number: number): Value | undefined {
    const offset = this.#offsets.get(number)
    if (offset === undefined) return undefined
    return this.#parse(offset + (match(HEADER, this.#text, offset)?.[0].length ?? missing(number)), number, 0)
  }

  #parse(from: number, object: number, depth: number): Value {
    const text = this.#text
    const skip = (at: number) => at + (match(SPACE, text, at)?.[0].length ?? 0)
    const start = skip(from)
    if (depth > DEPTH_MAX || ++this.#values > VALUES_MAX || start >= text.length) throw new Error('A value has no end.')
    const head = { object, start }
    if (text.startsWith('<<', start)) {
      const entries = new Map<string, Value>()
      let at = skip(start + 2)
      while (!text.startsWith('>>', at)) {
        const key = this.#parse(at, object, depth + 1)
        if (key.name === undefined) throw new Error('A key is not a name.')
        const value = this.#parse(key.end, object, depth + 1)
        entries.set(key.name, value)
        at = skip(value.end)
      }
      return { ...head, end: at + 2, entries }
    }
    if (text[start] === '[') {
      const items: Value[] = []
      let at = skip(start + 1)
      while (text[at] !== ']') {
        const item = this.#parse(at, object, depth + 1)
        items.push(item)
        at = skip(item.end)
      }
      return { ...head, end: at + 1, items }
    }
    if (text[start] === '(') return { ...head, end: findEndOfString(text, start) }
    const reference = match(REFERENCE, text, start)
    if (reference) return { ...head, end: start + reference[0].length, reference: Number(reference[1]) }
    const name = match(NAME, text, start)
    if (name) return { ...head, end: start + name[0].length, name: name[1] ?? '' }
    const other = match(HEX, text, start) ?? match(OTHER, text, start)
    if (!other) throw new Error('A value is damaged.')
    return { ...head, end: start + other[0].length }
  }
}

function match(pattern: RegExp, text: string, at: number) {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function missing(number: number): never {
  throw new Error(`Object ${number} is missing.`)
}

function readTable(text: string, at: number) {
  const offsets = new Map<number, number>()
  const section = /\s*(\d+) (\d+)\s*\n/y
  const row = /(\d{10}) (\d{5}) ([nf])\s{1,2}/y
  let next = at + (text.startsWith('xref', at) ? 'xref'.length : missing(0))
  for (let head = match(section, text, next); head; head = match(section, text, next)) {
    next += head[0].length
    for (let index = 0; index < Number(head[2]); index++) {
      const [found = missing(index), offset, , kind] = match(row, text, next) ?? []
      if (kind === 'n') offsets.set(Number(head[1]) + index, Number(offset))
      next += found.length
    }
  }
  const [trailer = missing(0)] = match(/\s*trailer/y, text, next) ?? []
  return { offsets, trailerAt: next + trailer.length }
}

function findEndOfString(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  throw new Error('A string has no end.')
}
