/** `platen-agent` as a person or a service manager runs it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

const MAIN = join(import.meta.dirname, '..', 'main.ts')

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

/** Until its end. */
export async function runProgram(args: string[], env: Record<string, string | undefined> = {}) {
  const { child, stdout, stderr } = startProgram(args, env)
  return { code: await exitCodeOf(child), stdout: await stdout, stderr: await stderr }
}
