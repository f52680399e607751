/** A job whose document is not downloaded yet. It is not journaled; a resend after a restart starts again. */
import type { Print } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { type Clock, toExpiry } from '../expiry.ts'
import type { PrintFacts } from '../journal/entry.ts'
import type { QueueSlot } from './printer-queues.ts'

export interface SentJob {
  facts: PrintFacts
  /** The document if it was sent with the job, otherwise empty. */
  content: Uint8Array
}

export interface Incoming extends SentJob {
  /**
   * Slot in the queue of its printer. Released when a download fails, so that one document does not block the printer.
   */
  slot: QueueSlot | undefined
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The id must be a UUID, because it becomes a file name and the token at the spooler. */
export function isValid(print: Print): boolean {
  return UUID.test(print.jobId) && print.fileSizeBytes >= 0n
}

export function toFacts(clock: Clock, print: Print): PrintFacts {
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
    receivedAt: new Date(),
    ...toExpiry(clock, print.secondsUntilExpiry),
  }
}
