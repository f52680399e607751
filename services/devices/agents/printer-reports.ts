/**
 * Stores what one stream says of its printers after its hello. Agents say a change once, so it is tried until it is stored or the stream
 * is over (the next hello says everything again). One at a time, and the newest only: no report overtakes a later one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReportedPrinter } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Devices } from '../devices.ts'
import type { AgentIdentity } from './authenticate.ts'
import { storePrinterReport } from './store-printer-report.ts'

const PAUSE_MS = 1_000
const PAUSE_MAX_MS = 30_000

export type PrinterReports = ReturnType<typeof createPrinterReports>

/** @param ended when the stream is over. */
export function createPrinterReports(devices: Devices, identity: AgentIdentity, epoch: bigint, ended: AbortSignal) {
  let newest: ReportedPrinter[] | undefined
  let isStoring = false

  async function storeAll(): Promise<void> {
    isStoring = true
    for (let pauseMs = PAUSE_MS; newest && !ended.aborted; ) {
      const reported = newest
      try {
        await storePrinterReport(devices, identity, epoch, reported)
        if (newest === reported) newest = undefined
        pauseMs = PAUSE_MS
      } catch (error) {
        devices.log.warn({ err: error, computer_id: identity.computerId }, 'printer report not stored, trying again')
        await sleep(pauseMs, undefined, { signal: ended }).catch(() => undefined)
        pauseMs = Math.min(PAUSE_MAX_MS, pauseMs * 2)
      }
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
