/** Runs `platen-agent` as a program, or its commands in the process of the test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { onTestFinished, vi } from 'vitest'
import { runCommandLine } from '../cli/command-line.ts'
import { CREDENTIAL } from './scripted-service.ts'
import { makeDataDir } from './start-agent.ts'

const MAIN = join(import.meta.dirname, '..', 'main.ts')

/** Creates a data directory with a configuration. @returns its path. */
export function makeEnrolledDir(config: { agentUrl: string } & Record<string, unknown>): string {
  const dataDir = makeDataDir()
  writeConfig(dataDir, config)
  return dataDir
}

export function writeConfig(dataDir: string, config: object): void {
  const complete = { credential: CREDENTIAL, spooler: 'virtual', ...config }
  writeFileSync(join(dataDir, 'agent.json'), JSON.stringify(complete), { mode: 0o600 })
}

/** Sets environment variables until the end of the test. */
export function setEnvironment(env: Record<string, string>): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
}

/** Starts a command in this process. It is stopped at the end of the test at the latest. */
export const startCommand = (...args: string[]) => startWithInput('', args)

function startWithInput(stdin: string, args: string[]) {
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
    stdin: Readable.from([stdin]),
    stdout: write('stdout'),
    stderr: write('stderr'),
    openLog: () => ({
      write(line) {
        written.stdout += line
      },
    }),
    onStop: (callback) => {
      stop = callback
    },
    onUpdate: () => undefined,
    ready: ready.resolve,
  })
  const end = async () => {
    stop('the test')
    return { code: await code, ...written }
  }
  onTestFinished(async () => void (await end()))
  return { ready: ready.promise, code, stop: end, logged: () => written.stdout, stderr: () => written.stderr }
}

/** Runs a command in this process until its end. */
export const runCommand = (...args: string[]) => runWithInput('', ...args)

/** @param stdin the standard input. */
export async function runWithInput(stdin: string, ...args: string[]) {
  const { code, logged, stderr } = startWithInput(stdin, args)
  return { code: await code, stdout: logged(), stderr: stderr() }
}

/**
 * Starts the program, which is killed at the end of the test at the latest.
 *
 * @param stdout a file descriptor instead of a pipe.
 * @param uid the user that runs it. Default: the user of the test.
 */
export function startProgram(
  args: string[],
  env: Record<string, string | undefined> = {},
  stdout?: number,
  uid?: number,
) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, PLATEN_VIRTUAL_PRINT_MS: '80', PLATEN_LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', stdout ?? 'pipe', 'pipe', 'ipc'],
    ...(uid === undefined ? {} : { uid }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const read = (stream: Readable | null) => (stream ? text(stream) : Promise.resolve(''))
  return { child, stdout: read(child.stdout), stderr: read(child.stderr) }
}

/** Waits for the end of the process. */
export async function waitForExitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const [code] = await once(child, 'exit')
  return code
}
