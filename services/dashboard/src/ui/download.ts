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

/** @param name without extension. Each line has the JSON that the API returns. */
export function downloadJsonLines(name: string, items: readonly unknown[]): void {
  download(`${name}.jsonl`, 'application/jsonl', items.map((item) => `${JSON.stringify(item)}\n`).join(''))
}
