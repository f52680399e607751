/**
 * Claims the waiting jobs of a computer and pushes them down its stream in the order of acceptance. One run at a time
 * for each connection. An event during a run makes the run claim again.
 */
import { SpanKind, trace } from '@opentelemetry/api'
import { UNACKNOWLEDGED_JOBS_MAX } from '@platen/resources/limits.ts'
import { dispatchDuration } from '@platen/runtime/telemetry/metrics.ts'
import { contextFrom } from '@platen/runtime/telemetry/trace-context.ts'
import { claimDestinationJob } from '../destinations/claim-destination-job.ts'
import type { DestinationTurn } from '../destinations/destination-turns.ts'
import type { Devices } from '../devices.ts'
import type { JobToPush } from './claims.ts'
import type { Connection } from './connection.ts'

/** After a failed claim. */
const RETRY_AFTER_MS = 1_000

/** Jobs whose repeated announcement is ignored, because they were just pushed. */
const RECENT_MAX = 32

const tracer = trace.getTracer('platen.agent')

export class Dispatch {
  private readonly devices: Devices
  private readonly getConnection: () => Connection
  /** `sent`, as far as this stream knows. */
  private readonly pushed = new Set<string>()
  private readonly recent = new Set<string>()
  private isRunning = false
  private isEnded = false
  /** Claim in any case. */
  private isWoken = false
  /** Claim when the window has room, because more jobs are or may be queued. */
  private isWaiting = false
  /** What printers may take from destinations, by the printer and the destination. */
  private turns = new Map<string, Map<string, DestinationTurn>>()
  /**
   * Whether the stream may have unknown jobs: before the first claim and after a failed one. They are found before
   * others are claimed.
   */
  private isUnsure = true
  /** The time by `performance.now()` since when the stream has had jobs to claim and got none. */
  private waitingSince: number | undefined

  constructor(devices: Devices, getConnection: () => Connection) {
    this.devices = devices
    this.getConnection = getConnection
  }

  /** A job was queued for the computer. */
  queued(jobId: string): void {
    if (this.recent.has(jobId)) return
    this.isWaiting = true
    this.start()
  }

  /** The computer may have jobs of any kind to claim, including resends of jobs in the window. */
  wake(): void {
    this.isWoken = true
    this.start()
  }

  /** A printer of the computer may take the next job of a destination. */
  hasTurn(printerId: string, turn: DestinationTurn): void {
    const ofPrinter = this.turns.get(printerId) ?? new Map<string, DestinationTurn>()
    this.turns.set(printerId, ofPrinter.set(turn.destinationId, turn))
    this.start()
  }

  /** The agent has acknowledged the job, so the window has room for another one. */
  acknowledged(jobId: string): void {
    this.pushed.delete(jobId)
    this.start()
  }

  /** The stream is over. A job that was claimed for it would wait for its resends. */
  end(): void {
    this.isEnded = true
    this.waitingSince = undefined
  }

  /** 0 without jobs to claim. */
  get waitingMs(): number {
    return this.waitingSince === undefined ? 0 : performance.now() - this.waitingSince
  }

  private get room(): number {
    return Math.max(0, UNACKNOWLEDGED_JOBS_MAX - this.pushed.size)
  }

  private get isDue(): boolean {
    if (this.isEnded) return false
    return this.isWoken || (this.isWaiting && this.room > 0) || this.turns.size > 0
  }

  private start(): void {
    if (this.isEnded) return
    if (this.isWoken || this.isWaiting) this.waitingSince ??= performance.now()
    if (this.isRunning || !this.isDue) return
    this.isRunning = true
    this.run()
      .catch((error: unknown) => {
        this.devices.log.warn({ err: error }, 'job claim failed, retrying')
        this.isUnsure = true
        setTimeout(() => this.wake(), RETRY_AFTER_MS).unref()
      })
      .finally(() => {
        this.isRunning = false
        this.start()
      })
  }

  private async run(): Promise<void> {
    while (this.isDue) {
      // Its jobs are announced again after the suspension.
      if (this.devices.suspended.has(this.getConnection().organizationId)) {
        this.isWoken = false
        this.isWaiting = false
        this.turns.clear()
        this.waitingSince = undefined
        return
      }
      const isWoken = this.isWoken
      const isClaimed = isWoken || (this.isWaiting && this.room > 0) ? await this.claimQueued() : false
      if (isWoken) await this.devices.destinationTurns.giveToComputer(this.getConnection().computerId)
      await this.takeTurns()
      if (isClaimed) this.waitingSince = undefined
    }
  }

  /** @returns false if jobs may wait for room in the window. */
  private async claimQueued(): Promise<boolean> {
    const queuedOnly = !this.isWoken && !this.isUnsure
    this.isWoken = false
    this.isWaiting = false
    const limit = this.room
    const claimed = await this.claim(limit, queuedOnly)
    if (!queuedOnly) this.isUnsure = false
    if (claimed.length >= limit) this.isWaiting = true
    return claimed.length > 0 || limit > 0
  }

  /** Turns without room in the window are dropped: they are given again while jobs wait. */
  private async takeTurns(): Promise<void> {
    const { turns } = this
    this.turns = new Map()
    for (const [printerId, ofPrinter] of turns) {
      if (this.room === 0 || this.isUnsure || this.isEnded) return
      const job = await claimDestinationJob(this.devices, this.getConnection(), printerId, [...ofPrinter.values()])
      if (job) this.pushNew(job)
    }
  }

  private pushNew(job: JobToPush): void {
    const connection = this.getConnection()
    this.pushed.add(job.job.jobId)
    this.addRecent(job.job.jobId)
    push(connection, job)
    measureDispatch(connection, job)
  }

  private async claim(limit: number, queuedOnly: boolean): Promise<JobToPush[]> {
    const connection = this.getConnection()
    const { computerId, organizationId, epoch } = connection
    const claimedJobIds = [...this.pushed]
    const claimed = await this.devices.claims.claim({
      organizationId,
      computerId,
      epoch,
      limit,
      queuedOnly,
      claimedJobIds,
    })
    for (const jobId of claimed.removeJobIds) connection.send({ case: 'remove', value: { jobId } })
    for (const jobId of claimed.overJobIds) this.pushed.delete(jobId)
    for (const job of claimed.jobs) this.pushNew(job)
    return claimed.jobs
  }

  private addRecent(jobId: string): void {
    this.recent.add(jobId)
    const [oldest] = this.recent
    if (this.recent.size > RECENT_MAX && oldest !== undefined) this.recent.delete(oldest)
  }
}

function measureDispatch({ openedAt }: Connection, { job: { queuedMs } }: JobToPush): void {
  if (queuedMs !== undefined) dispatchDuration.record(Math.min(queuedMs, performance.now() - openedAt) / 1000, {})
}

function push(connection: Connection, { job, printerOsName }: JobToPush): void {
  const parent = contextFrom(job.traceparent)
  const attributes = { 'print.job.id': job.jobId, 'print.attempt': job.attempt }
  const span = tracer.startSpan('send agent.print', { kind: SpanKind.PRODUCER, attributes }, parent)
  const { $typeName: _, computerId: __, printerId: ___, queuedMs: ____, traceparent: _____, ...facts } = job
  connection.send({ case: 'print', value: { ...facts, printerOsName } })
  span.end()
}
