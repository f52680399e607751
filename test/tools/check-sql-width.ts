/** Fails for a line of SQL of more than 120 characters. The formatter wraps only code. Migrations do not change. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findTexts } from '../power/sql/mark-statements.ts'
import { WIDTH } from './wrap-markdown.ts'

const FILES = ['*.ts', '*.tsx', '*.mts', '*.mjs', ':!:**/gen/**', ':!:**/migrations/**']

/** @returns the numbers of the lines. */
export function findLongLines(file: string, text: string): number[] {
  const texts = findTexts(file, text)
  const long: number[] = []
  let start = 0
  for (const [n, line] of text.split('\n').entries()) {
    const end = start + line.length
    if (line.length > WIDTH && texts.some((sql) => sql[0] < end && sql[1] > start)) long.push(n + 1)
    start = end + 1
  }
  return long
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...FILES], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of files.trim().split('\n')) {
    const text = readFileSync(join(root, file), 'utf8')
    // Most files have no long line, and need not be parsed.
    if (text.split('\n').every((line) => line.length <= WIDTH)) continue
    for (const line of findLongLines(file, text)) {
      console.error(`${file}:${line} has more than ${WIDTH} characters of SQL. Begin a line with each clause.`)
      process.exitCode = 1
    }
  }
}
