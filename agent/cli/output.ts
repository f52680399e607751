/** Writes a line. @returns exit code 0 once the text is flushed, because the process may exit right afterwards. */
export function print(text: string, to: NodeJS.WritableStream): Promise<0> {
  return new Promise((resolve, reject) => to.write(`${text}\n`, (error) => (error ? reject(error) : resolve(0))))
}

/** Aligns the cells in columns. */
export function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  const line = (row: string[]) => row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell))
  return rows.map((row) => line(row).join('  ').trimEnd()).join('\n')
}
