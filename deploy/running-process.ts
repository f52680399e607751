/** What the launcher knows of a process that it started, whatever kind it is. */
import { setTimeout as sleep } from 'node:timers/promises'
import { lastErrorLine, type ProcessLog } from './process-log.ts'
import { StartupError } from './startup-error.ts'

export interface RunningProcess {
  name: string
  pid: number
  log: Pick<ProcessLog, 'file' | 'offset'>
  /** Settles when the process has ended: "exit code 1", "SIGKILL". */
  ended: Promise<string>
  /** Asks it to end, makes it end when it does not, and comes back when it is gone. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** Once aborted, a process that is not ready yet is stopped again. */
  stopping?: AbortSignal
  /** Hears the pid as soon as there is one. */
  onPid?: (pid: number) => void
}

/**
 * Waits until a process is ready for use. One that is not, in time, is stopped: a start comes back with a process that is ready,
 * or leaves none.
 *
 * @throws StartupError that quotes the process's last error; the reason of `stopping` once that is aborted.
 */
export async function untilReady(
  started: RunningProcess,
  ready: Promise<unknown>,
  limitMs: number,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const late = new AbortController()
  const signal = stopping ? AbortSignal.any([late.signal, stopping]) : late.signal
  try {
    await Promise.race([
      ready,
      started.ended.then((how) => Promise.reject(failure(started, `ended before it was ready (${how})`))),
      sleep(limitMs, undefined, { signal }).then(() =>
        Promise.reject(failure(started, `was not ready within ${limitMs / 1000} s`)),
      ),
    ])
  } catch (error) {
    await started.stop()
    stopping?.throwIfAborted()
    throw error
  } finally {
    late.abort()
  }
}

/** @param what "ended 5 times within a minute" */
export function failure({ name, log }: Pick<RunningProcess, 'name' | 'log'>, what: string): StartupError {
  const told = lastErrorLine(log)
  return new StartupError(`${name} ${what}${told && `: ${told}`} (its log: ${log.file})`)
}

/** Sends `signal`, and SIGKILL when the process has not ended within the limit. */
export async function endWith(
  ended: Promise<string>,
  kill: (signal: NodeJS.Signals) => void,
  signal: NodeJS.Signals,
  limitMs: number,
): Promise<void> {
  const late = new AbortController()
  kill(signal)
  const inTime = await Promise.race([ended, sleep(limitMs, undefined, { signal: late.signal })]).finally(() =>
    late.abort(),
  )
  if (inTime !== undefined) return
  kill('SIGKILL')
  await ended
}
