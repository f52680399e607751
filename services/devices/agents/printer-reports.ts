/**
 * Stores the printer reports of one stream after its hello. Agents send each report once, so a report is retried until
 * it is stored or the stream ends (the next hello contains all printers). Stores one report at a time, and only the
 * newest one, so that reports stay in order. Stores at most one report per second, which limits the events that an
 * agent can cause.
 */
import type { ReportedPrinter } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { pause } from '@platen/runtime/retry.ts'
import type { Devices } from '../devices.ts'
import type { Connection } from './connection.ts'
import { storePrinterReport } from './store-printer-report.ts'

/** Between two reports, and before the first retry. */
const PAUSE_MS = 1_000
const PAUSE_MAX_MS = 30_000

export type PrinterReports = ReturnType<typeof createPrinterReports>

/** @param ended aborted at the end of the stream. */
export function createPrinterReports(
  devices: Devices,
  { computerId, epoch, organizationId }: Pick<Connection, 'computerId' | 'epoch' | 'organizationId'>,
  ended: AbortSignal,
) {
  const rates = [devices.printerEventRates.get(computerId), devices.organizationEventRates.get(organizationId)]
  let newest: ReportedPrinter[] | undefined
  let isStoring = false

  async function storeAll(): Promise<void> {
    isStoring = true
    for (let pauseMs = PAUSE_MS; newest && !ended.aborted; ) {
      const waitMs = Math.max(...rates.map((rate) => rate.take(0)))
      if (waitMs > 0) {
        devices.limitExceeded('printer events', { computerId })
        await pause(waitMs, ended)
      }
      const reported = newest
      // It is false for a computer that is offline after a silence, too. The next flush of `presence.ts` brings it back
      // online.
      const isStored = await storePrinterReport(devices, computerId, epoch, reported).catch((error: unknown) => {
        devices.log.warn({ err: error, computer_id: computerId }, 'printer report not stored, retrying')
        return false
      })
      if (isStored) {
        if (newest === reported) newest = undefined
        pauseMs = PAUSE_MS
      }
      await pause(pauseMs, ended)
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
