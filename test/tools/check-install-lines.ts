/**
 * Part of `npm run check`: fails if a text tells its reader to install or run a package by a name that is not in
 * `FOREIGN`. Nothing of Platen is in a registry, so whoever registers such a name would get the shells and keys of
 * readers. A client of Platen is an address of an installation with the file name of this version, or a path of the
 * clone.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseClientPackage } from '@platen/resources/client-packages.ts'
import manifest from '../../package.json' with { type: 'json' }

/** Packages of others. */
const FOREIGN = [
  '@nats-io/jetstream',
  '@nats-io/transport-node',
  'git+https://github.com/PrintNode/PrintNode-Python',
  'openapi-typescript',
  'printnode-client',
  'protobufjs',
  'standardwebhooks',
  'vite',
  'vitest',
]
/** Texts, and sources that show commands. */
const FILES = [
  '**/*.md',
  'services/dashboard/src/**/*.{ts,tsx}',
  'services/{resources,gateway}/**/*.ts',
  'deploy/**/*.{ts,mjs}',
]
const IGNORED = ['**/node_modules/**', '**/dist/**', '**/tests/**', '.platen/**']

const COMMAND =
  /\b(npx|npm (?:install|i|add|exec)|pnpm add|yarn add|pip3? install|pipx (?:install|run)|uv add)((?:[ \t]+[^\s`'"|&;)]+)+)/g
const OPTIONS_WITH_VALUE = ['--prefix', '--target', '--index-url', '--find-links', '-r', '-o']
const CLIENT = /^https?:\/\/[^/]+\/clients\/([^/]+)$/
const PATH = /^(\.{0,2}\/|\$|[\w/-]+\.(tgz|whl)$)/

/** @returns what is wrong with what a command installs. */
function findProblems(command: string, args: string[]): string[] {
  if (args.includes('--no')) return []
  const positional: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string
    if (OPTIONS_WITH_VALUE.includes(arg)) at++
    else if (!arg.startsWith('-')) positional.push(arg.replace(/[,.]+$/, ''))
  }
  // The other arguments are those of the program.
  const packages = /^npx|^npm exec|run$/.test(command) ? positional.slice(0, 1) : positional
  return packages.flatMap((name) => {
    const [, file] = CLIENT.exec(name) ?? []
    if (file !== undefined) {
      const version = parseClientPackage(file)?.version
      return version === manifest.version ? [] : [`${name} is no client of version ${manifest.version}`]
    }
    return FOREIGN.includes(name) || PATH.test(name) ? [] : [`${name} is fetched from a registry by its name`]
  })
}

process.chdir(join(import.meta.dirname, '../..'))
let count = 0
for (const file of globSync(FILES, { exclude: IGNORED }))
  for (const [text, command = '', args = ''] of readFileSync(file, 'utf8').matchAll(COMMAND)) {
    count++
    for (const problem of findProblems(command, args.trim().split(/\s+/))) {
      console.error(`${file}: \`${text}\`: ${problem}.`)
      process.exitCode = 1
    }
  }
if (count === 0) throw new Error('No text has a line that installs something, so this check checks nothing.')
