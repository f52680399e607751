/** For people, on a terminal. @returns exit code 0, once the text is written: a pipe may be slow, and the process ends soon. */
export function print(text: string, to: NodeJS.WritableStream): Promise<0> {
  return new Promise((resolve, reject) => to.write(`${text}\n`, (error) => (error ? reject(error) : resolve(0))))
}

/** Columns as wide as what is in them; the last one as wide as it likes. */
export function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  const line = (row: string[]) => row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell))
  return rows.map((row) => line(row).join('  ').trimEnd()).join('\n')
}
