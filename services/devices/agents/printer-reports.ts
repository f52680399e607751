/**
 * Stores what one stream says of its printers after its hello. Agents say a change once, so it is tried until it is stored or the stream
 * is over (the next hello says everything again). One at a time, and the newest only: no report overtakes a later one.
 * One a second at most: whatever an agent says, its organization's events and those of others are not drowned in it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReportedPrinter } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Devices } from '../devices.ts'
import { storePrinterReport } from './store-printer-report.ts'

/** Between two, and before the first repetition. */
const PAUSE_MS = 1_000
const PAUSE_MAX_MS = 30_000

export type PrinterReports = ReturnType<typeof createPrinterReports>

/** @param ended when the stream is over. */
export function createPrinterReports(devices: Devices, computerId: string, epoch: bigint, ended: AbortSignal) {
  let newest: ReportedPrinter[] | undefined
  let isStoring = false

  async function storeAll(): Promise<void> {
    isStoring = true
    for (let pauseMs = PAUSE_MS; newest && !ended.aborted; ) {
      const reported = newest
      // Not by an agent that was taken for silent either: it is online again as soon as it is written that it was heard.
      const isStored = await storePrinterReport(devices, computerId, epoch, reported).catch((error: unknown) => {
        devices.log.warn({ err: error, computer_id: computerId }, 'printer report not stored, trying again')
        return false
      })
      if (isStored) {
        if (newest === reported) newest = undefined
        pauseMs = PAUSE_MS
      }
      await sleep(pauseMs, undefined, { signal: ended }).catch(() => undefined)
      if (!isStored) pauseMs = Math.min(PAUSE_MAX_MS, pauseMs * 2)
    }
    isStoring = false
  }

  return {
    store(reported: ReportedPrinter[]): void {
      newest = reported
      if (!isStoring) void storeAll()
    },
  }
}
