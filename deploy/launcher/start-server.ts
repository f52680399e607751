/**
 * Starts a server that must not outlive its launcher: PostgreSQL, nats-server. A shell between them has a pipe from the
 * launcher. When the pipe closes, also after a `kill -9`, the shell ends the server.
 */
import { type SpawnOptions, spawn } from 'node:child_process'
import { closeSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { identify, signalProcess } from './process-identity.ts'
import { openProcessLog } from './process-log.ts'
import { endProcess, type RunningProcess, toStartupError } from './running-process.ts'

/** PostgreSQL makes a checkpoint before it ends. */
const STOP_TIMEOUT_MS = 20_000
const POLL_MS = 20

/** The text instead of the file, which the user of the server may not be able to read. */
const SCRIPT = readFileSync(join(import.meta.dirname, 'die-with-parent.sh'), 'utf8')

export interface ServerOptions extends Pick<SpawnOptions, 'env' | 'cwd' | 'uid' | 'gid'> {
  name: string
  command: string
  args: string[]
  /** For a fast but orderly shutdown. */
  endSignal: 'SIGINT' | 'SIGTERM'
  logFile: string
}

/** @returns the running server, which may not be ready. */
export async function startServer(server: ServerOptions): Promise<RunningProcess> {
  const { name, command, args, endSignal, env = process.env, cwd, uid, gid } = server
  const log = openProcessLog(server.logFile)
  const shell = process.platform === 'win32' ? [] : ['/bin/sh', '-c', SCRIPT, 'sh', endSignal.slice('SIG'.length)]
  const [program = command, ...rest] = [...shell, command, ...args]
  const child = spawn(program, rest, {
    env,
    cwd,
    uid,
    gid,
    stdio: ['pipe', log.descriptor, log.descriptor, 'pipe'],
    detached: process.platform !== 'win32',
  })
  closeSync(log.descriptor)
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? describeExit(code ?? 0)))
  })
  const pid = shell.length > 0 ? Number(await text(child.stdio[3] as Readable)) : (child.pid ?? 0)
  if (pid === 0) throw toStartupError({ name, log }, `could not be started (${await exited})`)
  const identity = identify(pid) ?? 'ended'
  const ended = exited.then(async (how) => {
    child.stdin?.destroy()
    // If the shell was killed, its watcher ends the server.
    while (identify(pid) === identity) await sleep(POLL_MS)
    return how
  })
  const kill = (signal: NodeJS.Signals) => signalProcess(pid, identity, signal)
  return { name, pid, log, ended, stop: () => endProcess(ended, kill, endSignal, STOP_TIMEOUT_MS) }
}

/** The exit code of a shell is above 128 after a signal. */
function describeExit(code: number): string {
  return code > 128 ? `signal ${code - 128}` : `exit code ${code}`
}
