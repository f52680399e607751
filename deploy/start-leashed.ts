/**
 * Starts a server that knows nothing of its launcher, and yet must not outlive it: PostgreSQL, nats-server. Between the two stands a
 * shell with a pipe from the launcher. When that breaks, also by a `kill -9`, the shell tells the server to end.
 */
import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { identify, signalProcess } from './process-identity.ts'
import { openProcessLog } from './process-log.ts'
import { endWith, failure, type RunningProcess } from './running-process.ts'

/** PostgreSQL writes what it holds in memory before it ends. */
const STOP_LIMIT_MS = 20_000
const CHECK_EVERY_MS = 20

const LEASH = join(import.meta.dirname, 'leash.sh')

export interface LeashedServer {
  name: string
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  /** What the server takes as the order to end at once but in good order. */
  endSignal: 'SIGINT' | 'SIGTERM'
  logFile: string
}

/** @returns the server, as soon as it runs; whether it is ready is for the caller to find out. */
export async function startLeashed(server: LeashedServer): Promise<RunningProcess> {
  const { name, command, args, endSignal } = server
  const log = openProcessLog(server.logFile)
  const leash = process.platform === 'win32' ? [] : ['/bin/sh', LEASH, endSignal.slice('SIG'.length)]
  const [program = command, ...rest] = [...leash, command, ...args]
  const child = spawn(program, rest, {
    env: server.env ?? process.env,
    stdio: ['pipe', log.descriptor, log.descriptor, 'pipe'],
    detached: process.platform !== 'win32',
  })
  closeSync(log.descriptor)
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? describeExit(code ?? 0)))
  })
  const pid = leash.length > 0 ? Number(await text(child.stdio[3] as Readable)) : (child.pid ?? 0)
  if (pid === 0) throw failure({ name, log }, `could not be started (${await exited})`)
  const identity = identify(pid) ?? 'ended'
  const ended = exited.then(async (how) => {
    child.stdin?.destroy()
    // Somebody killed the shell: its watcher ends the server, which must be gone before another takes its place.
    while (identify(pid) === identity) await sleep(CHECK_EVERY_MS)
    return how
  })
  const kill = (signal: NodeJS.Signals) => signalProcess(pid, identity, signal)
  return { name, pid, log, ended, stop: () => endWith(ended, kill, endSignal, STOP_LIMIT_MS) }
}

/** A shell tells of a signal by an exit code above 128. */
function describeExit(code: number): string {
  return code > 128 ? `signal ${code - 128}` : `exit code ${code}`
}
