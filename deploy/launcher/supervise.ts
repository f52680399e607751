/**
 * Keeps one process running. Restarts it after an unexpected end, unless it ends repeatedly. While the disk is full,
 * ends are not counted, because only the operator can free space, and everything must continue afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningProcess, type StartOptions, toStartupError } from './running-process.ts'

const PAUSE_MS = { first: 200, longest: 5_000 }

/** The end of a process that ran longer is not counted and resets the pause. */
const QUICK_MS = 10_000
const QUICK_FAILURES = { limit: 5, intervalMs: 60_000 }

export interface Supervised<Process extends RunningProcess> {
  name: string
  start(options: StartOptions): Promise<Process>
}

export interface SupervisorOptions {
  onPid: (name: string, pid: number) => void
  /** Called before each restart, but only once while the disk is full. */
  report: (line: string) => void
  isDiskFull: () => Promise<boolean>
  /** Called once, when the process ended five times within a minute. */
  onFailed: (error: unknown) => void
}

export class Supervisor<Process extends RunningProcess> {
  /** The process after its first start. Rejects if that fails, which is not retried. */
  readonly ready: Promise<Process>
  private readonly supervised: Supervised<Process>
  private readonly options: SupervisorOptions
  private readonly stopping = new AbortController()
  private readonly ended: Promise<void>
  private startedAt = 0
  private pauseMs = PAUSE_MS.first
  private failures: number[] = []

  constructor(supervised: Supervised<Process>, options: SupervisorOptions) {
    this.supervised = supervised
    this.options = options
    this.ready = this.start()
    this.ended = this.ready
      .then((process) => this.keepRunning(process))
      .catch((error: unknown) => {
        if (!this.stopping.signal.aborted) options.onFailed(error)
      })
  }

  /** Ends the process, also while it starts or between two starts. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.ended
  }

  private start(): Promise<Process> {
    const { name, start } = this.supervised
    return start({ stopping: this.stopping.signal, onPid: (pid) => this.options.onPid(name, pid) })
  }

  private async keepRunning(started: Process): Promise<void> {
    let running: Process | undefined = started
    let lastError: unknown
    let wasDiskFull = false
    this.startedAt = performance.now()
    for (;;) {
      const how = running && (await this.waitForEnd(running))
      if (this.stopping.signal.aborted) return
      const isDiskFull = await this.options.isDiskFull()
      if (running) {
        lastError = toStartupError(running, `ended ${QUICK_FAILURES.limit} times within a minute (${how})`)
        const until = isDiskFull ? ' until the disk has free space' : ''
        if (!isDiskFull || !wasDiskFull)
          this.options.report(`${this.supervised.name} ended (${how}), restarting${until}`)
      }
      wasDiskFull = isDiskFull
      if (!isDiskFull && this.isFailingRepeatedly()) throw lastError
      const pauseMs = isDiskFull ? PAUSE_MS.longest : this.pauseMs
      if (!isDiskFull) this.pauseMs = Math.min(pauseMs * 2, PAUSE_MS.longest)
      await sleep(pauseMs, undefined, { signal: this.stopping.signal })
      running = await this.start().catch((error: unknown) => {
        this.stopping.signal.throwIfAborted()
        lastError = error
        return undefined
      })
      // The time of the start does not count as running.
      this.startedAt = performance.now()
    }
  }

  private isFailingRepeatedly(): boolean {
    const now = performance.now()
    if (now - this.startedAt > QUICK_MS) this.pauseMs = PAUSE_MS.first
    else this.failures.push(now)
    this.failures = this.failures.filter((at) => now - at < QUICK_FAILURES.intervalMs)
    return this.failures.length >= QUICK_FAILURES.limit
  }

  private async waitForEnd(running: Process): Promise<string> {
    const stop = () => void running.stop()
    this.stopping.signal.addEventListener('abort', stop)
    if (this.stopping.signal.aborted) stop()
    return await running.ended.finally(() => this.stopping.signal.removeEventListener('abort', stop))
  }
}
