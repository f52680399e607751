/** What commands print. Data is on stdout, everything else on stderr. */
import { stripVTControlCharacters, styleText } from 'node:util'

export interface OutputOptions {
  json?: boolean
  utc?: boolean
}

type Style = Parameters<typeof styleText>[0]
export interface Column<T> {
  title: string
  get: (row: T) => string | number | boolean | null | undefined
}

// Texts of the API could move the cursor or change the title of a terminal.
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it removes
export const toLine = (text: string) => stripVTControlCharacters(text).replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

/** Only on a terminal, and not with NO_COLOR. */
export const style = (format: Style, text: string): string => styleText(format, text, { stream: process.stdout })

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** A sentence for people. */
export function inform(text: string): void {
  process.stderr.write(`${text.split('\n').map(toLine).join('\n')}\n`)
}

/** One object in one line with `--json`, else the line of `toText`. */
export function printOne<T>(value: T, { json }: OutputOptions, toText: (value: T) => string): void {
  print(json ? JSON.stringify(value) : toLine(toText(value)))
}

/** Aligned columns with titles on a terminal, columns with tabs in a pipe, one object per line with `--json`. */
export function printRows<T>(rows: T[], columns: Column<T>[], { json }: OutputOptions): void {
  if (json) {
    for (const row of rows) print(JSON.stringify(row))
    return
  }
  const cells = rows.map((row) => columns.map(({ get }) => toLine(String(get(row) ?? '-'))))
  if (!process.stdout.isTTY) {
    for (const line of cells) print(line.join('\t'))
    return
  }
  const titles = columns.map(({ title }) => title.toUpperCase())
  const widths = titles.map((title, at) => Math.max(title.length, ...cells.map((line) => line[at]?.length ?? 0)))
  const align = (line: string[]) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  print(style('bold', align(titles)))
  for (const line of cells) print(align(line))
}

/** The fields of one resource: a line for each on a terminal and in a pipe. */
export function printFields(resource: object, options: OutputOptions): void {
  if (options.json) {
    print(JSON.stringify(resource))
    return
  }
  const entries = Object.entries(resource).filter(([, value]) => value !== null && value !== undefined)
  const width = process.stdout.isTTY ? Math.max(...entries.map(([name]) => name.length)) : 0
  for (const [name, value] of entries) {
    const text = typeof value === 'object' ? JSON.stringify(value) : formatTime(String(value), options)
    print(`${name.padEnd(width)}${process.stdout.isTTY ? '  ' : '\t'}${toLine(text)}`)
  }
}

/**
 * How long ago a time of the API is, on a terminal: `12 s`, `5 min`, `3 h`, `2 d`. In a pipe and with `--utc` the time
 * as it is.
 */
export function formatAge(text: string, { utc }: OutputOptions, now = Date.now()): string {
  if (utc || !process.stdout.isTTY) return text
  const seconds = Math.max(0, Math.floor((now - Date.parse(text)) / 1000))
  const [unit, length] = AGE_UNITS.find(([, from]) => seconds >= from) ?? ['s', 1]
  return `${Math.floor(seconds / length)} ${unit}`
}

/** Units with their lengths in seconds, the largest first. */
const AGE_UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

/** A time of the API as local time on a terminal, as it is in a pipe and with `--utc`. Other texts are not changed. */
export function formatTime(text: string | null, { utc }: OutputOptions, isTerminal = process.stdout.isTTY): string {
  if (text === null) return '-'
  if (utc || !isTerminal || !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return text
  const at = new Date(text)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ')
}
