/** The files of the repository, for tools that check or rewrite them. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** @param patterns of Git. @returns the paths from the root, and the texts. */
export function readFiles(...patterns: string[]): { file: string; text: string }[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns]
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  return files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
}

/** Writes the new texts if the tool has `--write`. Otherwise fails for a file whose text would change. */
export function rewriteFiles(patterns: string[], rewrite: (file: string, text: string) => string, fault: string): void {
  for (const { file, text } of readFiles(...patterns)) {
    const rewritten = rewrite(file, text)
    if (rewritten === text) continue
    if (process.argv.includes('--write')) writeFileSync(join(root, file), rewritten)
    else {
      console.error(`${file} has ${fault}. Run \`npm run format\`.`)
      process.exitCode = 1
    }
  }
}
