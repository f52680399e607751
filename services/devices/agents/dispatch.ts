/**
 * Takes a computer's waiting jobs from the jobs service and pushes them down its stream, first accepted first. One run at a time
 * for each connection; what is said during a run makes it look once more.
 */
import { SpanKind, trace } from '@opentelemetry/api'
import { contextFrom, currentTraceparent, within } from '@platen/runtime/telemetry/trace-context.ts'
import type { Devices } from '../devices.ts'
import type { JobToPush } from './claims.ts'
import type { Connection } from './connection.ts'

/** Pushed and not yet acknowledged: enough to keep an agent busy, few enough to be sent again cheaply when it is lost. */
const WINDOW = 8

/** After a claim that failed. */
const RETRY_AFTER_MS = 1_000

/** A job is announced more than once; what was pushed a moment ago is not looked for again. */
const RECENT_MAX = 32

const tracer = trace.getTracer('platen.agent')

export interface Dispatch {
  /** This job was queued for the computer. */
  queued(jobId: string): void
  /** There may be jobs of any kind to claim, also such as have their place in the window already. */
  wake(): void
  /** The agent has answered for this job, so that there is room for another. */
  answered(jobId: string): void
}

export function createDispatch(devices: Devices, connection: () => Connection): Dispatch {
  /** `sent`, as far as this stream knows. */
  const pushed = new Set<string>()
  const recent = new Set<string>()
  let running = false
  /** Look in any case. */
  let woken = false
  /** Look when there is room: more jobs are queued, or may be. */
  let waiting = false
  /** A claim failed: it may have given this stream jobs all the same, which are looked for before others are claimed. */
  let unsure = false

  const room = () => Math.max(0, WINDOW - pushed.size)

  async function run(): Promise<void> {
    while (woken || (waiting && room() > 0)) {
      const queuedOnly = !woken && !unsure
      woken = false
      waiting = false
      const limit = room()
      const claimed = await claim(limit, queuedOnly)
      if (!queuedOnly) unsure = false
      if (claimed.length >= limit) waiting = true
    }
  }

  async function claim(limit: number, queuedOnly: boolean): Promise<JobToPush[]> {
    const { computerId, epoch } = connection()
    const {
      jobs: claimed,
      overJobIds,
      removeJobIds,
    } = await devices.claims.claim({
      computerId,
      epoch,
      limit,
      queuedOnly,
      claimedJobIds: [...pushed],
    })
    for (const jobId of removeJobIds) connection().send({ case: 'remove', value: { jobId } })
    for (const jobId of overJobIds) pushed.delete(jobId)
    for (const one of claimed) {
      pushed.add(one.job.jobId)
      remember(one.job.jobId)
      await push(connection(), one)
    }
    return claimed
  }

  function remember(jobId: string): void {
    recent.add(jobId)
    const [oldest] = recent
    if (recent.size > RECENT_MAX && oldest !== undefined) recent.delete(oldest)
  }

  function start(): void {
    if (running || !(woken || (waiting && room() > 0))) return
    running = true
    run()
      .catch((error: unknown) => {
        devices.log.warn({ err: error }, 'jobs not claimed, trying again')
        unsure = true
        setTimeout(wake, RETRY_AFTER_MS).unref()
      })
      .finally(() => {
        running = false
        start()
      })
  }

  function wake(): void {
    woken = true
    start()
  }

  return {
    wake,
    queued(jobId) {
      if (recent.has(jobId)) return
      waiting = true
      start()
    },
    answered(jobId) {
      pushed.delete(jobId)
      start()
    },
  }
}

async function push(connection: Connection, { job, printerOsName }: JobToPush): Promise<void> {
  const parent = contextFrom(job.traceparent)
  const attributes = { 'print.job.id': job.jobId, 'print.attempt': job.attempt }
  const span = tracer.startSpan('send agent.print', { kind: SpanKind.PRODUCER, attributes }, parent)
  await within(span, parent, async () => {
    const { $typeName: _, computerId: __, printerId: ___, traceparent, ...facts } = job
    connection.send({ case: 'print', value: { ...facts, printerOsName } }, currentTraceparent() || traceparent)
  })
}
