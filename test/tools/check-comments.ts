/**
 * Part of `npm run check`: fails for a comment that begins with a fragment, such as "Of the last report". A comment has
 * a subject: "The state of the last report".
 */
import { readFiles } from './files.ts'

const FRAGMENT = /^\s*(?:\/\*\*|\/\/|\*) (?:Also|As|By|Not|Of|That|Those|Which|Whose)\b/
/** The first line of a comment, or the only one. A line that continues a sentence begins in lower case. */
const FILES = ['*.ts', '*.tsx', '*.proto', ':!proto/gen', ':!proto/google']

for (const { file, text } of readFiles(...FILES)) {
  const lines = text.split('\n')
  for (const [n, line] of lines.entries())
    if (FRAGMENT.test(line) && isFirst(lines[n - 1] ?? '', line)) {
      console.error(`${file}:${n + 1}: the comment has no subject: ${line.trim()}`)
      process.exitCode = 1
    }
}

/** Whether a line with a star begins a paragraph. */
function isFirst(before: string, line: string): boolean {
  return !/^\s*\*/.test(line) || /^\s*(?:\/\*\*|\*)\s*$/.test(before)
}
