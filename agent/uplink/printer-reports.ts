/**
 * Reports printers to the server: all printers in each hello, and again when one was added, removed or changed. If the
 * spooler does not respond, nothing is reported and the server keeps the last known printers. While the disk is full,
 * all printers say so, because a job that cannot be journaled has no report.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { DOCUMENT_MAX_BYTES } from '@platen/proto/agent-bounds.ts'
import { fitPrinters } from '@platen/proto/fit-printers.ts'
import {
  ConnectRequestSchema,
  type ReportedPrinterSchema,
  type SpoolerStateSchema,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Logger } from 'pino'
import { DISK_FULL } from '../disk.ts'
import type { Documents } from '../documents.ts'
import type { Spooler } from '../spoolers/spooler.ts'
import type { Uplink } from './uplink.ts'

export type PrinterList = MessageInitShape<typeof ReportedPrinterSchema>[]

type SpoolerState = MessageInitShape<typeof SpoolerStateSchema>

const DISK_FULL_DETAIL = 'The disk of the computer is full. Jobs wait until their documents fit.'

/** Maximum time that a hello waits for the spooler. */
const ANSWER_TIMEOUT_MS = 5_000

/** The printers that the service keeps: the first ones by name, so that each report has the same. */
export function cutPrinters(printers: PrinterList): PrinterList {
  const fitting = fitPrinters(printers)
  if (fitting.length === printers.length) return printers
  return fitPrinters(printers.toSorted((a, b) => ((a.osName ?? '') < (b.osName ?? '') ? -1 : 1)))
}

/** @returns the printers unchanged if the service would not keep all of them otherwise. */
function addDiskFull(printers: PrinterList): PrinterList {
  const marked = printers.map((printer) => ({
    ...printer,
    stateReasons: [...(printer.stateReasons ?? []), DISK_FULL],
    stateDetail: [printer.stateDetail, DISK_FULL_DETAIL].filter(Boolean).join(' '),
  }))
  return fitPrinters(marked).length === marked.length ? marked : printers
}

export type PrinterReports = ReturnType<typeof createPrinterReports>

interface Parts {
  spooler: Spooler
  documents: Pick<Documents, 'fits'>
  uplink: Uplink
  log: Logger
}

export function createPrinterReports({ spooler, documents, uplink, log }: Parts) {
  let lastReported: PrinterList | undefined
  let lastProblem: SpoolerState = {}
  let lastNames = ''
  let isDiskFull = false
  let isFailing = false
  /** At most one query at a time, also while the spooler does not respond. */
  let query: Promise<PrinterList | undefined> | undefined
  let isLate = false

  /** @returns undefined if the spooler does not respond. Logged once per outage, and once at its end. */
  async function queryPrinters(): Promise<PrinterList | undefined> {
    query ??= list().finally(() => {
      query = undefined
      isLate = false
    })
    if (isLate) return undefined
    const end = new AbortController()
    const timeout = sleep(ANSWER_TIMEOUT_MS, undefined, { signal: end.signal }).then(reportTimeout, () => undefined)
    return await Promise.race([query, timeout]).finally(() => end.abort())
  }

  async function list(): Promise<PrinterList | undefined> {
    try {
      const printers = cutPrinters(await spooler.printers())
      if (isFailing) log.info('spooler responds again')
      isFailing = false
      // The difference prevents that a nearly full disk changes the printers again and again.
      isDiskFull = !(await documents.fits(isDiskFull ? DOCUMENT_MAX_BYTES : 0))
      return isDiskFull ? addDiskFull(printers) : printers
    } catch (error) {
      recordFailure(error)
      return undefined
    }
  }

  function reportTimeout(): undefined {
    isLate = true
    recordFailure(new Error(`The spooler did not respond within ${ANSWER_TIMEOUT_MS / 1000} s.`))
  }

  function recordFailure(error: unknown): void {
    if (!isFailing) log.warn({ err: error }, 'listing printers failed: the service keeps the last known printers')
    isFailing = true
  }

  function getProblem(): SpoolerState {
    const { code, message } = spooler.problem?.() ?? {}
    return { code, message }
  }

  /** For people who watch the log. */
  function logNames(printers: PrinterList): void {
    const names = printers.map(({ osName }) => osName).join(', ')
    if (names !== lastNames) log.info({ printers: names || 'none' }, 'printers reported')
    lastNames = names
  }

  return {
    /** For a hello: all printers, or undefined, and the state of the spooler. */
    async forHello(): Promise<{ printers: PrinterList | undefined; spoolerState: SpoolerState }> {
      lastReported = await queryPrinters()
      lastProblem = getProblem()
      if (lastReported) logNames(lastReported)
      return { printers: lastReported, spoolerState: lastProblem }
    },

    /**
     * Reports all printers, and the state of the spooler, if they differ from the last report of this stream. A lost
     * report is repeated by the next hello.
     */
    async reportChanges(): Promise<void> {
      const printers = await queryPrinters()
      const problem = getProblem()
      if (!isDeepStrictEqual(problem, lastProblem)) {
        lastProblem = problem
        uplink.notify(create(ConnectRequestSchema, { message: { case: 'spoolerState', value: problem } }))
      }
      if (!printers || isDeepStrictEqual(printers, lastReported)) return
      lastReported = printers
      logNames(printers)
      uplink.notify(create(ConnectRequestSchema, { message: { case: 'printers', value: { printers } } }))
    },
  }
}
