/** A process that the launcher started. */
import { setTimeout as sleep } from 'node:timers/promises'
import { lastErrorLine, type ProcessLog } from './process-log.ts'
import { StartupError } from './startup-error.ts'

export interface RunningProcess {
  name: string
  pid: number
  log: Pick<ProcessLog, 'file' | 'offset'>
  /** Resolves at the end of the process, for example to "exit code 1" or "SIGKILL". */
  ended: Promise<string>
  /** Ends the process, by SIGKILL after a timeout. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** Aborts the start: a process that is not ready is stopped. */
  stopping?: AbortSignal
  /** Called before the process is ready. If it throws, the process is stopped. */
  onPid?: (pid: number) => void
}

/**
 * Waits until a process is ready. After the timeout, the process is stopped.
 *
 * @throws StartupError with the last error in the log; the reason of `stopping` after its abort; the error of `onPid`.
 */
export async function untilReady(
  started: RunningProcess,
  ready: Promise<unknown>,
  timeoutMs: number,
  { stopping, onPid }: StartOptions,
): Promise<void> {
  const late = new AbortController()
  const signal = stopping ? AbortSignal.any([late.signal, stopping]) : late.signal
  try {
    onPid?.(started.pid)
    await Promise.race([
      ready,
      started.ended.then((how) => Promise.reject(toStartupError(started, `ended before it was ready (${how})`))),
      sleep(timeoutMs, undefined, { signal }).then(() =>
        Promise.reject(toStartupError(started, `was not ready within ${timeoutMs / 1000} s`)),
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

/** @param event for example "ended 5 times within a minute". */
export function toStartupError({ name, log }: Pick<RunningProcess, 'name' | 'log'>, event: string): StartupError {
  const error = lastErrorLine(log)
  return new StartupError(`${name} ${event}${error && `: ${error}`} (log: ${log.file})`)
}

/** Sends `signal`, and SIGKILL after the timeout. */
export async function endProcess(
  ended: Promise<string>,
  kill: (signal: NodeJS.Signals) => void,
  signal: NodeJS.Signals,
  timeoutMs: number,
): Promise<void> {
  const late = new AbortController()
  kill(signal)
  const inTime = await Promise.race([ended, sleep(timeoutMs, undefined, { signal: late.signal })]).finally(() =>
    late.abort(),
  )
  if (inTime !== undefined) return
  kill('SIGKILL')
  await ended
}
