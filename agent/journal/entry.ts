/** A journaled job. */

import type { SQLOutputValue } from 'node:sqlite'
import type { JsonObject } from '@bufbuild/protobuf'
import type { Expiry } from '../expiry.ts'
import type { ConfirmedBy, DocumentWarning } from '../spoolers/spooler.ts'
import type { Phase } from './phases.ts'

/** Facts from the Print message. */
export interface PrintFacts extends Expiry {
  /** The id of the job; also its token at the spooler. */
  id: string
  attempt: number
  printerOsName: string
  title: string
  contentType: string
  qty: number
  options: JsonObject
  fileSizeBytes: number
  /** Hex. */
  fileSha256: string
  receivedAt: Date
}

export interface JournalEntry extends PrintFacts {
  /** Jobs of one printer are handed over in this order. */
  sequence: number
  phase: Phase
  spoolerJobId: string | null
  /** One sentence per option that the spooler ignored. */
  warnings: string[]
  documentWarnings: DocumentWarning[]
  /** When the hand-over ended. */
  releasedAt: Date | null
  printingAt: Date | null
  outcome: Outcome
  /** When the job ended, if it has. */
  updatedAt: Date
  /** Set when the server has confirmed the outcome. */
  settledAt: Date | null
}

/** How a job ended, for the server's `stateMessage` and `stateReasons`. */
export interface Outcome {
  message: string | null
  reasons: string[]
  /** Who confirmed the paper of a job that is done. */
  confirmedBy?: ConfirmedBy | undefined
  /** How many labels or copies the printer says are printed. */
  printed?: number | undefined
}

export type ReportState = 'waiting' | 'printing' | 'done' | 'error'

/** A report that the server has not confirmed. */
export interface PendingReport {
  id: string
  jobId: string
  state: ReportState
}

type Row = Record<string, SQLOutputValue>

export function toEntry(row: Row): JournalEntry {
  return {
    id: String(row.id),
    sequence: Number(row.sequence),
    attempt: Number(row.attempt),
    phase: row.phase as Phase,
    printerOsName: String(row.printer_os_name),
    title: String(row.title),
    contentType: String(row.content_type),
    qty: Number(row.qty),
    options: JSON.parse(String(row.options)),
    fileSizeBytes: Number(row.file_size_bytes),
    fileSha256: String(row.file_sha256),
    receivedAt: new Date(Number(row.created_at)),
    // Jobs of earlier versions have none.
    expiresAtMs: Number(row.expires_at ?? Number.POSITIVE_INFINITY),
    expiresAtUptimeMs: Number(row.expires_at_uptime ?? Number.POSITIVE_INFINITY),
    bootId: String(row.boot_id),
    spoolerJobId: row.spooler_job_id === null ? null : String(row.spooler_job_id),
    warnings: JSON.parse(String(row.warnings)),
    documentWarnings: JSON.parse(String(row.document_warnings)),
    releasedAt: toDate(row.released_at),
    printingAt: toDate(row.printing_at),
    outcome: {
      message: row.outcome_message === null ? null : String(row.outcome_message),
      reasons: JSON.parse(String(row.outcome_reasons)),
      confirmedBy: (row.confirmed_by ?? undefined) as ConfirmedBy | undefined,
      printed: row.printed === null ? undefined : Number(row.printed),
    },
    updatedAt: new Date(Number(row.updated_at)),
    settledAt: toDate(row.settled_at),
  }
}

export function toPendingReport(row: Row): PendingReport {
  return { id: String(row.id), jobId: String(row.job_id), state: row.state as ReportState }
}

function toDate(value: SQLOutputValue | undefined): Date | null {
  return value === null || value === undefined ? null : new Date(Number(value))
}
