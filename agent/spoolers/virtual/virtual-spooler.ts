/**
 * The spooler of test mode. Its jobs survive the agent, like those of a real spooler. It keeps jobs for 7 days and the
 * newest 100 MB of documents. It has no timers: the state of a job depends on its release and the monotonic clock. Jobs
 * print concurrently.
 */
import { EventEmitter, once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspectPdfs } from '../inspect-pdfs.ts'
import { selectPageRanges } from '../page-ranges.ts'
import type { RasterConfig } from '../raster/raster-printer.ts'
import { rasterizePdfs } from '../rasterize-pdfs.ts'
import { requireRaw } from '../raw-documents.ts'
import { type Spooler, SpoolerRefusal, type SpoolerState, type Submission } from '../spooler.ts'
import { type Call, openCallLog } from './call-log.ts'
import { type JobFiles, openJobFiles, type VirtualJob } from './job-files.ts'
import { RASTER_PRINTERS, VIRTUAL_PRINTERS } from './printers.ts'
import { getCourse, refuseByTitle } from './test-titles.ts'

/** Time from release to completion. A test job needs about 3 s in total: docs/reference/test-mode.md#test-mode.walk. */
const PRINT_MS = 2_600

const KEEP_MS = 7 * 24 * 60 * 60 * 1000
const PURGE_INTERVAL_MS = 60 * 60 * 1000

/** Four documents of the maximum size, or the labels of 7 days. */
const KEEP_BYTES = 100 * 1024 * 1024

export interface VirtualSpoolerOptions {
  /** Holds `handovers.jsonl` and `jobs/`. */
  dir: string
  /** Time from release to completion. */
  printMs?: number
  /**
   * The maximum size of the documents of printed jobs, and of those of others. Beyond it submissions fail until jobs
   * are printed.
   */
  keepBytes?: number
  /** Apply the texts in titles that choose an outcome. In live mode they have no effect. */
  testMode?: boolean
}

interface VirtualPrintersOptions extends VirtualSpoolerOptions {
  /** What users have set. */
  getRaster?: (osName: string) => RasterConfig[string] | undefined
}

/** The virtual printers as an agent has them: PDFs are inspected, and drawn for the label and the receipt printer. */
export const openVirtualPrinters = ({ getRaster, ...options }: VirtualPrintersOptions): Spooler =>
  inspectPdfs(rasterizePdfs(createVirtualSpooler(options), (osName) => getRaster?.(osName) ?? RASTER_PRINTERS[osName]))

/** The jobs of the spooler with this directory, whether or not it is running. */
export const openVirtualJobs = (dir: string): JobFiles => openJobFiles(join(dir, 'jobs'))

export function createVirtualSpooler({
  dir,
  printMs = PRINT_MS,
  keepBytes = KEEP_BYTES,
  testMode = false,
}: VirtualSpoolerOptions): Spooler {
  const files = openVirtualJobs(dir)
  const calls = openCallLog(join(dir, 'handovers.jsonl'))
  const removed = new EventEmitter().setMaxListeners(0)
  let purgedAtMs = Number.NEGATIVE_INFINITY
  /** At least the size of the stored documents. */
  let keptBytes = 0

  /** Concurrent submissions share one run. */
  let purging: Promise<void> | undefined

  async function purgeIfDue(): Promise<void> {
    const isDue = performance.now() - purgedAtMs >= PURGE_INTERVAL_MS
    if (isDue || keptBytes > keepBytes)
      purging ??= purge().finally(() => {
        purging = undefined
      })
    await purging
  }

  async function purge(): Promise<void> {
    purgedAtMs = performance.now()
    const beforeMs = Date.now() - KEEP_MS
    await files.purge(beforeMs)
    calls.purge(beforeMs)
    keptBytes = await files.shrink(keepBytes, isPrinted)
  }

  function isPrinted(id: string): boolean {
    const releasedAtMs = calls.releasedAtMs(id)
    return releasedAtMs !== undefined && performance.now() >= releasedAtMs + printMs
  }

  function record(call: Call['call'], job: VirtualJob, error?: string): void {
    const { id, token, printer, sha256, sizeBytes } = job
    calls.append({ call, token, spoolerJobId: id, printer, sha256, sizeBytes, at: new Date().toISOString(), error })
  }

  async function state(id: string): Promise<SpoolerState | undefined> {
    const job = await files.read(id)
    return job && getState(job, calls.releasedAtMs(id))
  }

  function getState(job: VirtualJob, releasedAtMs: number | undefined): SpoolerState {
    if (calls.isRemoved(job.id))
      return { is: 'aborted', message: 'The job was removed.', reasons: ['job-canceled-by-user'] }
    if (releasedAtMs === undefined) return { is: 'held', reasons: ['job-hold-until-specified'] }
    const { stages, end } = findCourse(job)
    const elapsedMs = performance.now() - releasedAtMs
    return stages.find(({ until }) => elapsedMs < printMs * until)?.state ?? end
  }

  const findCourse = ({ name }: VirtualJob) => getCourse(testMode ? name : undefined)

  /** Resolves after this time or when the job is removed. */
  async function waitForChange(id: string, ms: number, signal: AbortSignal): Promise<void> {
    const end = new AbortController()
    const options = { signal: AbortSignal.any([signal, end.signal]) }
    const events = [sleep(ms, undefined, options), once(removed, id, options)]
    await Promise.race(events).finally(() => end.abort())
    await Promise.allSettled(events)
  }

  return {
    printers: async () => VIRTUAL_PRINTERS,
    state,

    async submitHeld(submission) {
      await purgeIfDue()
      if (keptBytes > keepBytes) throw new Error('The virtual printers have too many unprinted documents.')
      if (!VIRTUAL_PRINTERS.some(({ osName }) => osName === submission.printerOsName))
        throw new SpoolerRefusal(`The computer has no printer "${submission.printerOsName}".`, ['printer-not-found'])
      if (testMode) refuseByTitle(submission.title)
      if (RASTER_PRINTERS[submission.printerOsName]) requireRaw(submission)
      const warnings = checkPages(submission)
      const { size } = await stat(submission.file)
      keptBytes += size
      const job = await files.add(submission).catch((error: unknown) => {
        keptBytes -= size
        throw error
      })
      record('submit', job)
      return { spoolerJobId: job.id, warnings }
    },

    async release(id) {
      const job = await files.read(id)
      if (!job) throw new Error('The spooler does not know the job.')
      const released = calls.releasedAtMs(id) !== undefined
      record('release', job, released ? 'already released' : undefined)
      if (released) throw new Error('The job has already been released.')
    },

    async find(token) {
      const id = await files.find(token)
      const found = id && (await state(id))
      return found ? { spoolerJobId: id, state: found } : undefined
    },

    async remove(id) {
      const job = await files.read(id)
      if (!job || calls.isRemoved(id) || hasEnded(getState(job, calls.releasedAtMs(id)))) return
      record('remove', job)
      removed.emit(id)
    },

    async *watch(id, signal) {
      const job = await files.read(id)
      if (!job) return
      const releasedAtMs = calls.releasedAtMs(id) ?? performance.now()
      for (;;) {
        const now = getState(job, releasedAtMs)
        yield now
        if (hasEnded(now)) return
        const { until = 0 } = findCourse(job).stages.find(({ state }) => state === now) ?? {}
        const nextChangeMs = releasedAtMs + printMs * until
        await waitForChange(id, Math.max(1, nextChangeMs - performance.now()), signal)
      }
    },
  }
}

/**
 * It refuses the same pages as the spoolers that print, so that a program finds its error in test mode.
 *
 * @returns a warning for selected pages that the document does not have. @throws SpoolerRefusal if it has none of them.
 */
function checkPages({ options, pdf }: Submission): string[] {
  const { pages, nup = 1 } = options
  return typeof pages === 'string' && pdf ? selectPageRanges(pages, pdf.pages, Number(nup)).warnings : []
}

const hasEnded = ({ is }: SpoolerState) => is === 'completed' || is === 'aborted'
