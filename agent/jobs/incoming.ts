/** A job that the server sent and whose document is not here yet. Known to nobody but this process: sent again, it starts over. */
import type { Print } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { PrintFacts } from '../journal/entry.ts'
import type { QueueSlot } from './printer-queues.ts'

export interface SentJob {
  facts: PrintFacts
  /** The document, where it came with the job; else empty. */
  content: Uint8Array
  /** By `performance.now()`, since no computer's clock is trusted: from then on the server has given the job up. */
  expiresAtMs: number
}

export interface Incoming extends SentJob {
  /** In the lane of its printer; lost when its download fails, so that one bad document does not hold up a printer. */
  slot: QueueSlot | undefined
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The id becomes a file name and the spooler's token: nothing but a UUID may. */
export function isValid(print: Print): boolean {
  return UUID.test(print.jobId) && print.fileSizeBytes >= 0n
}

export function toFacts(print: Print, traceparent: string): PrintFacts {
  return {
    id: print.jobId,
    attempt: print.attempt,
    printerOsName: print.printerOsName,
    title: print.title,
    contentType: print.contentType,
    qty: print.qty,
    options: print.options ?? {},
    fileSizeBytes: Number(print.fileSizeBytes),
    fileSha256: print.fileSha256.toLowerCase(),
    traceparent,
  }
}

export function getExpiryMs(print: Print): number {
  return performance.now() + print.secondsUntilExpiry * 1000
}
