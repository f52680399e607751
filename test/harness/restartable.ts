/** A process that a run kills, pauses and starts again. Starts that fail, for example without a database, are repeated. */
import type { RunningProcess, StartOptions } from '@platen/deploy/running-process.ts'
import { waitFor } from './wait-for.ts'

export interface Restartable {
  name: string
  /** Of the process that runs now. */
  readonly pid: number
  /** `kill -9`, then `meanwhile`, then a new start, also of a process that is not ready yet. Returns when the process is ready again. */
  kill(meanwhile?: () => Promise<unknown>): Promise<void>
  /** An orderly end, then `meanwhile`, then a new start. */
  restart(meanwhile?: () => Promise<unknown>): Promise<void>
  /** SIGSTOP until `resume`. */
  pause(): void
  resume(): void
  /** Returns when the process is ready. */
  ready(): Promise<void>
  stop(): Promise<void>
}

const START_LIMIT_MS = 120_000

/** @param onEnd is called when the process ends by itself; it is started again. */
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

  /** One at a time: the next one waits until the process is ready. */
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
