/** Files that the dashboard itself makes of what it has loaded. */

/** Saves a file in the way of the browser. @param type of its content: "text/csv". */
export function download(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

type CsvCell = string | number | null

/** Columns by the name of the column. */
export type CsvColumns<Item> = Record<string, (item: Item) => CsvCell>

/** Spreadsheets run a text that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

export function toCsvCell(value: CsvCell): string {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * A row for each item, below the names of the columns. With a byte order mark, without which Excel reads another
 * encoding.
 */
export function toCsv<Item>(columns: CsvColumns<Item>, items: Item[]): string {
  const rows = [Object.keys(columns), ...items.map((item) => Object.values(columns).map((toCell) => toCell(item)))]
  return `\ufeff${rows.map((cells) => `${cells.map(toCsvCell).join(',')}\r\n`).join('')}`
}

/** @param name without extension. */
export function downloadCsv<Item>(name: string, columns: CsvColumns<Item>, items: Item[]): void {
  download(`${name}.csv`, 'text/csv', toCsv(columns, items))
}

/** @param name without extension. Each line has the JSON that the API returns. */
export function downloadJsonLines(name: string, items: readonly unknown[]): void {
  download(`${name}.jsonl`, 'application/jsonl', items.map((item) => `${JSON.stringify(item)}\n`).join(''))
}
