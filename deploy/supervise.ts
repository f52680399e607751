/** Keeps one process running: starts it again when it dies, until it keeps dying. */
import { setTimeout as sleep } from 'node:timers/promises'
import { failure, type RunningProcess, type StartOptions } from './running-process.ts'

const PAUSE_MS = { first: 200, longest: 5_000 }

/** A process that lived longer has recovered: the next pause is the first again, and its death does not count. */
const QUICK_MS = 10_000
const QUICK_FAILURES = { limit: 5, withinMs: 60_000 }

export interface Supervised<Process extends RunningProcess> {
  name: string
  start(options: StartOptions): Promise<Process>
}

export interface SupervisorOptions {
  onPid: (name: string, pid: number) => void
  /** Hears of every death that is followed by another start. */
  say: (line: string) => void
  /** Hears once, when it died five times within a minute. */
  giveUp: (error: unknown) => void
}

export interface Supervisor<Process> {
  /** The process once it is ready for the first time; rejects when its first start fails, which is not tried again. */
  ready: Promise<Process>
  /** Ends the process, whether it is running, starting or between two lives. */
  stop(): Promise<void>
}

export function supervise<Process extends RunningProcess>(
  { name, start }: Supervised<Process>,
  { onPid, say, giveUp }: SupervisorOptions,
): Supervisor<Process> {
  const stopping = new AbortController()
  const startOnce = () => start({ stopping: stopping.signal, onPid: (pid) => onPid(name, pid) })
  const first = startOnce()
  const done = first.then(keepRunning).catch((error: unknown) => {
    if (!stopping.signal.aborted) giveUp(error)
  })

  async function keepRunning(started: RunningProcess): Promise<void> {
    let running: RunningProcess | undefined = started
    let startedAt = performance.now()
    let pauseMs = PAUSE_MS.first
    let failures: number[] = []
    let lastFailure: unknown
    for (;;) {
      if (running) {
        const how = await endOf(running)
        if (stopping.signal.aborted) return
        lastFailure = failure(running, `ended ${QUICK_FAILURES.limit} times within a minute (${how})`)
        say(`${name} ended unexpectedly (${how}); starting it again.`)
      }
      const now = performance.now()
      if (now - startedAt > QUICK_MS) pauseMs = PAUSE_MS.first
      else failures.push(now)
      failures = failures.filter((at) => now - at < QUICK_FAILURES.withinMs)
      if (failures.length >= QUICK_FAILURES.limit) throw lastFailure
      await sleep(pauseMs, undefined, { signal: stopping.signal })
      pauseMs = Math.min(pauseMs * 2, PAUSE_MS.longest)

      running = await startOnce().catch((error: unknown) => {
        stopping.signal.throwIfAborted()
        lastFailure = error
        return undefined
      })
      // To start can take as long as to recover, and proves nothing.
      startedAt = performance.now()
    }
  }

  async function endOf(running: RunningProcess): Promise<string> {
    const stop = () => void running.stop()
    stopping.signal.addEventListener('abort', stop)
    if (stopping.signal.aborted) stop()
    return await running.ended.finally(() => stopping.signal.removeEventListener('abort', stop))
  }

  return {
    ready: first,
    async stop() {
      stopping.abort()
      await done
    },
  }
}
