/**
 * A process that is killed on purpose, again and again, and each time started anew. The launcher's supervisor gives up on a process that
 * dies often, and counts no deaths; so this is another one. Used by `start-system.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningProcess, StartOptions } from '@platen/deploy/running-process.ts'
import type { Victim } from './chaos-system.ts'

/** Between two lives, and between two starts that failed. */
const PAUSE_MS = 300

export interface SupervisedProcess extends Victim {
  /** @param meanwhile happens between its two lives. */
  kill(meanwhile?: () => Promise<void>): Promise<void>
  /** Comes back when it runs and is ready. */
  ready(): Promise<void>
  /** In good order, and for good. */
  stop(): Promise<void>
}

export interface Troubles {
  /** Ends that nobody asked for: "jobs-0: exit code 1". */
  unexpectedEnds: string[]
  /** Starts that failed, as they may while a link is broken; each is tried again. */
  failedStarts: string[]
}

interface Life {
  pid?: number
  isKilled: boolean
}

/** @returns once it is ready for the first time; rejects when that start fails. */
export async function startSupervised(
  name: string,
  start: (options: StartOptions) => Promise<RunningProcess>,
  troubles: Troubles,
): Promise<SupervisedProcess> {
  const stopping = new AbortController()
  let life: Life = { isKilled: false }
  let ready = Promise.withResolvers<void>()
  let betweenLives: (() => Promise<void>) | undefined

  async function live(): Promise<RunningProcess> {
    const own: Life = { isKilled: false }
    life = own
    const onPid = (pid: number) => {
      own.pid = pid
    }
    const running = await start({ stopping: stopping.signal, onPid })
    if (!own.isKilled) ready.resolve()
    return running
  }

  async function keepRunning(running: RunningProcess | undefined): Promise<void> {
    while (running) {
      const how = await endOf(running)
      life.pid = undefined
      if (stopping.signal.aborted) return
      if (!life.isKilled) {
        troubles.unexpectedEnds.push(`${name}: ${how}`)
        ready = Promise.withResolvers()
      }
      running = await startAgain()
    }
  }

  async function endOf(running: RunningProcess): Promise<string> {
    const stop = () => void running.stop()
    stopping.signal.addEventListener('abort', stop)
    if (stopping.signal.aborted) stop()
    return await running.ended.finally(() => stopping.signal.removeEventListener('abort', stop))
  }

  /** @returns undefined when it is not to live again. */
  async function startAgain(): Promise<RunningProcess | undefined> {
    for (;;) {
      await sleep(PAUSE_MS)
      if (stopping.signal.aborted) return undefined
      try {
        await betweenLives?.()
        betweenLives = undefined
        return await live()
      } catch (error) {
        if (stopping.signal.aborted) return undefined
        if (!life.isKilled) troubles.failedStarts.push(`${name}: ${error}`)
        life.pid = undefined
      }
    }
  }

  function send(signal: NodeJS.Signals): void {
    if (life.pid === undefined) return
    try {
      process.kill(life.pid, signal)
    } catch (error) {
      // It ended by itself just now, and its supervisor is about to hear of it.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }

  const done = keepRunning(await live())
  return {
    name,
    async kill(meanwhile) {
      betweenLives = meanwhile ?? betweenLives
      if (life.pid !== undefined && !life.isKilled) {
        life.isKilled = true
        ready = Promise.withResolvers()
        send('SIGKILL')
      }
      await ready.promise
    },
    pause: () => send('SIGSTOP'),
    resume: () => send('SIGCONT'),
    ready: () => ready.promise,
    async stop() {
      send('SIGCONT')
      stopping.abort()
      await done
    },
  }
}
