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

export type CsvCell = string | number | null

/** Spreadsheets run a text that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

export function toCsvCell(value: CsvCell): string {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * With a byte order mark, without which Excel reads another encoding.
 *
 * @param name without extension.
 * @param rows the first one has the names of the columns.
 */
export function downloadCsv(name: string, rows: CsvCell[][]): void {
  const lines = rows.map((cells) => `${cells.map(toCsvCell).join(',')}\r\n`)
  download(`${name}.csv`, 'text/csv', `\ufeff${lines.join('')}`)
}

/** @param name without extension. Each line has the JSON that the API returns. */
export function downloadJsonLines(name: string, items: readonly unknown[]): void {
  download(`${name}.jsonl`, 'application/jsonl', items.map((item) => `${JSON.stringify(item)}\n`).join(''))
}
