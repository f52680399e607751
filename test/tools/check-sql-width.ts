/**
 * Part of `npm run check`: fails for a line of SQL of more than 120 characters. The formatter wraps only code.
 */
import { findTexts } from '../power/sql/mark-statements.ts'
import { readFiles } from './files.ts'
import { WIDTH } from './wrap-markdown.ts'

for (const { file, text } of readFiles('*.ts', '*.tsx', '*.mts', '*.mjs', ':!:**/gen/**')) {
  const lines = text.split('\n')
  // Most files have no long line, and need not be parsed.
  const texts = lines.every((line) => line.length <= WIDTH) ? [] : findTexts(file, text)
  let start = 0
  for (const [n, line] of lines.entries()) {
    const end = start + line.length
    if (line.length > WIDTH && texts.some((sql) => sql[0] < end && sql[1] > start)) {
      console.error(`${file}:${n + 1} has more than ${WIDTH} characters of SQL. Begin a line with each clause.`)
      process.exitCode = 1
    }
    start = end + 1
  }
}
