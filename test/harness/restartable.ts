/** A process that a run kills, pauses and restarts. Failed starts, for example without a database, are retried. */
import type { RunningProcess, StartOptions } from '@platen/deploy/launcher/running-process.ts'
import { waitFor } from './wait-for.ts'

export interface Restartable {
  name: string
  /** Id of the current process. */
  readonly pid: number
  /**
   * `kill -9`, then `meanwhile`, then a restart, also before the process is ready. Returns when the process is ready.
   */
  kill(meanwhile?: () => Promise<unknown>): Promise<void>
  /** An orderly stop, then `meanwhile`, then a restart. */
  restart(meanwhile?: () => Promise<unknown>): Promise<void>
  /** SIGSTOP until `resume`. */
  pause(): void
  resume(): void
  /** Returns when the process is ready. */
  ready(): Promise<void>
  stop(): Promise<void>
}

const START_LIMIT_MS = 120_000

/** @param onEnd called when the process exits unexpectedly, before its restart. */
export async function startRestartable<P extends RunningProcess>(
  name: string,
  start: (options: StartOptions) => Promise<P>,
  onEnd: (how: string) => void,
): Promise<Restartable & { first: P }> {
  const stopping = new AbortController()
  let isEndExpected = false
  let isStarting = false
  let pid = 0
  const onPid = (started: number) => {
    pid = started
  }
  const startOne = () => start({ stopping: stopping.signal, onPid })
  const first = await startOne()
  let running: RunningProcess = first
  let ready = Promise.resolve()
  watch()

  function watch(): void {
    void running.ended.then((how) => {
      if (isEndExpected || stopping.signal.aborted) return
      onEnd(how)
      ready = startAgain()
    })
  }

  async function startAgain(): Promise<void> {
    isStarting = true
    await waitFor(async () => {
      if (stopping.signal.aborted) return
      running = await startOne()
      watch()
    }, START_LIMIT_MS)
    isStarting = false
  }

  /** Serializes operations until the process is ready. */
  function replace(end: () => Promise<unknown>): Promise<void> {
    ready = ready.then(async () => {
      if (stopping.signal.aborted) return
      isEndExpected = true
      await end()
      await startAgain()
      isEndExpected = false
    })
    return ready
  }

  function send(signal: NodeJS.Signals): void {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  return {
    name,
    first,
    get pid() {
      return pid
    },
    kill(meanwhile) {
      if (isStarting && !meanwhile) {
        send('SIGKILL')
        return ready
      }
      return replace(async () => {
        send('SIGKILL')
        await running.ended
        await meanwhile?.()
      })
    },
    restart: (meanwhile) =>
      replace(async () => {
        await running.stop()
        await meanwhile?.()
      }),
    pause: () => send('SIGSTOP'),
    resume: () => send('SIGCONT'),
    ready: () => ready,
    async stop() {
      stopping.abort()
      send('SIGCONT')
      await ready
      await running.stop()
    },
  }
}
