/** `platen-agent` as a program, and its commands in the test's own process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { onTestFinished, vi } from 'vitest'
import { runCommandLine } from '../cli/command-line.ts'
import { CREDENTIAL } from './scripted-service.ts'
import { makeDataDir } from './start-agent.ts'

const MAIN = join(import.meta.dirname, '..', 'main.ts')

/** @returns a data directory with a configuration. */
export function makeEnrolled(config: { agentUrl: string } & Record<string, unknown>): string {
  const dataDir = makeDataDir()
  writeConfig(dataDir, config)
  return dataDir
}

export function writeConfig(dataDir: string, config: object): void {
  const complete = { credential: CREDENTIAL, spooler: 'virtual', ...config }
  writeFileSync(join(dataDir, 'agent.json'), JSON.stringify(complete), { mode: 0o600 })
}

/** For the current test. */
export function setEnvironment(env: Record<string, string>): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
}

/** Runs a command in this process; it is stopped at the end of the test at the latest. */
export function startCommand(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  const write = (to: keyof typeof written) =>
    new Writable({
      write(chunk, _, done) {
        written[to] += chunk
        done()
      },
    })
  const ready = Promise.withResolvers<void>()
  let stop: (reason: string) => void = () => undefined
  const code = runCommandLine(args, {
    stdout: write('stdout'),
    stderr: write('stderr'),
    openLog: () => ({
      write(line) {
        written.stdout += line
      },
    }),
    onStop: (given) => {
      stop = given
    },
    ready: ready.resolve,
  })
  const end = async () => {
    stop('the test')
    return { code: await code, ...written }
  }
  onTestFinished(async () => void (await end()))
  return { ready: ready.promise, code, stop: end, logged: () => written.stdout, complained: () => written.stderr }
}

/** Until its end. */
export async function runCommand(...args: string[]) {
  const { code, logged, complained } = startCommand(...args)
  return { code: await code, stdout: logged(), stderr: complained() }
}

/** Ends with the test at the latest. */
export function startProgram(args: string[], env: Record<string, string | undefined> = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, PLATEN_VIRTUAL_PRINT_MS: '80', PLATEN_LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  if (!child.stdout || !child.stderr) throw new Error('no pipes')
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, stdout: text(child.stdout), stderr: text(child.stderr) }
}

export async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const [code] = await once(child, 'exit')
  return code
}
