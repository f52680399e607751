/**
 * Writes a line. A reader that has enough, such as `head`, is no error: what a command has done stays done.
 *
 * @returns exit code 0 once the text is flushed, because the process may exit right afterwards.
 */
export function print(text: string, stream: NodeJS.WritableStream): Promise<0> {
  return new Promise((resolve, reject) =>
    stream.write(`${text}\n`, (error) => (error && !isClosedPipe(error) ? reject(error) : resolve(0))),
  )
}

const isClosedPipe = (error: NodeJS.ErrnoException) => error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'

/** Aligns the cells in columns. */
export function formatTable(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const formatLine = (row: string[]) =>
    row.map((cell, column) => (column < row.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell))
  return rows.map((row) => formatLine(row).join('  ').trimEnd()).join('\n')
}
