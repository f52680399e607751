/** Runs the program `platen` as users do: as it is in its package, in a pipe or on a terminal. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleCli } from '../../package-clients.ts'

const directory = mkdtempSync(join(tmpdir(), 'platen-cli-'))
process.once('exit', () => rmSync(directory, { recursive: true }))
/** The path of the program. */
export const MAIN = join(directory, 'platen.mjs')
await bundleCli(MAIN)

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export interface Environment extends Record<string, string | undefined> {
  PLATEN_URL?: string
  PLATEN_KEY?: string
}

/** Starts a command in a pipe. */
export function start(args: string[], env: Environment, input: string | Buffer = '') {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env } })
  child.stdin.on('error', () => undefined).end(input)
  return collect(child)
}

/** Runs a command in a pipe. */
export const run = (args: string[], env: Environment, input?: string | Buffer) => start(args, env, input).ended

/** Runs a command on a terminal: see `runInTerminal`. */
export const runOnTerminal = (args: string[], env: Environment, typed: Typed[] = []) =>
  runInTerminal([process.execPath, MAIN, ...args].map((arg) => `'${arg}'`).join(' '), env, typed)

/** What a user types, after a text that the terminal shows then. */
type Typed = [after: string, text: string]

/** Runs a program on a terminal of 200 columns. Its standard error is part of the output. */
export function runInTerminal(command: string, env: Environment, typed: Typed[]) {
  const child = spawn('script', ['--quiet', '--return', '--echo', 'always', '--command', command, '/dev/null'], {
    env: { ...process.env, COLUMNS: '200', TERM: 'xterm', ...env },
  })
  const running = collect(child)
  const left = [...typed]
  let readTo = 0
  const type = () => {
    const [after, text] = left[0] ?? []
    if (after === undefined || text === undefined) return
    const at = running.output.stdout.indexOf(after, readTo)
    if (at < 0) return
    readTo = at + after.length
    left.shift()
    child.stdin.write(text)
    type()
  }
  child.stdout.on('data', type)
  return running.ended
}

function collect(child: ReturnType<typeof spawn>) {
  const output = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  const ended = once(child, 'close').then(([code]): Ran => ({ code, ...output }))
  return { child, output, ended }
}
