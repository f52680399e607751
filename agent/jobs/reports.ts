/** Sends job reports to the server: for each job one at a time, the next one after the last was confirmed. */
import { randomUUID } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  type ConnectRequestSchema,
  type ReportConfirmed,
  ConfirmedBy as ReportedConfirmedBy,
  ReportedState,
  type WorkTimesSchema,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Agent } from '../agent.ts'
import type { JournalEntry, Outcome, PendingReport, PrintFacts, ReportState } from '../journal/entry.ts'
import { hasEnded } from '../journal/phases.ts'
import type { ConfirmedBy, DocumentWarning } from '../spoolers/spooler.ts'
import { toSentence } from '../spoolers/to-sentence.ts'
import type { Tasks } from './tasks.ts'

const STATES: Record<ReportState, ReportedState> = {
  waiting: ReportedState.WAITING,
  printing: ReportedState.PRINTING,
  done: ReportedState.DONE,
  error: ReportedState.ERROR,
}

const CONFIRMED_BY: Record<ConfirmedBy, ReportedConfirmedBy> = {
  printer: ReportedConfirmedBy.PRINTER,
  spooler: ReportedConfirmedBy.SPOOLER,
  nobody: ReportedConfirmedBy.NOBODY,
}

/** Final states that were not set by this report. */
const ENDED_BY_SERVER = ['error', 'cancelled', 'expired']

const UINT32_MAX = 2 ** 32 - 1

export type Reports = ReturnType<typeof createReports>

export function createReports(agent: Agent, tasks: Tasks) {
  const { journal, uplink, documents, log } = agent
  const delivering = new Set<string>()
  const sent = new Map<string, PendingReport>()

  async function deliverAll(jobId: string): Promise<void> {
    delivering.add(jobId)
    for (let report = journal.nextReport(jobId); report; report = journal.nextReport(jobId)) await sendReport(report)
    delivering.delete(jobId)
    const entry = journal.get(jobId)
    if (!entry || !hasEnded(entry.phase) || entry.settledAt) return
    journal.settle(jobId)
    logFinished(agent, entry)
    await documents.remove(jobId)
  }

  async function sendReport(report: PendingReport): Promise<void> {
    sent.set(report.id, report)
    await uplink.request(reportKey(report.id), () => toMessage(report, journal.get(report.jobId)))
  }

  return {
    /** Sends the journaled reports of the job. A job whose outcome is confirmed is settled. */
    deliver(jobId: string): void {
      if (!delivering.has(jobId)) tasks.start(jobId, () => deliverAll(jobId))
    },

    /**
     * Reports why a job waits that is not journaled yet. Resolves when the service has confirmed it.
     *
     * @throws when the agent stops.
     */
    async waiting({ id, attempt }: PrintFacts, { message, reasons }: Outcome): Promise<void> {
      const reportId = randomUUID()
      const value = {
        reportId,
        jobId: id,
        attempt,
        state: ReportedState.WAITING,
        message: message ?? undefined,
        reasons,
      }
      await uplink.request(reportKey(reportId), () => ({ message: { case: 'report', value } }))
    },

    confirmed({ reportId, state }: ReportConfirmed): void {
      const report = sent.get(reportId)
      sent.delete(reportId)
      if (report && report.state !== state && ENDED_BY_SERVER.includes(state))
        log.info({ job_id: report.jobId, reported: report.state, state }, 'report ignored: the job had ended before')
      journal.confirmReport(reportId)
      uplink.answer(reportKey(reportId))
    },
  }
}

const reportKey = (reportId: string) => `report ${reportId}`

function toMessage(
  { id, jobId, state }: PendingReport,
  entry: JournalEntry | undefined,
): MessageInitShape<typeof ConnectRequestSchema> {
  // Until the outcome is journaled, `outcome` is the progress of the job.
  const isOutcome = state === entry?.phase
  const outcome = entry && hasEnded(entry.phase) && !isOutcome ? undefined : entry?.outcome
  const warned = entry?.documentWarnings ?? []
  return {
    message: {
      case: 'report',
      value: {
        reportId: id,
        jobId,
        attempt: entry?.attempt,
        state: STATES[state],
        // The server joins the message with the warnings about options.
        message: joinSentences([outcome?.message ? toSentence(outcome.message) : '', ...warned.map(toText)]),
        reasons: [...(outcome?.reasons ?? []), ...warned.map(({ reason }) => reason)],
        warnings: entry?.warnings,
        times: isOutcome ? toTimes(entry) : undefined,
        confirmedBy: isOutcome && outcome?.confirmedBy ? CONFIRMED_BY[outcome.confirmedBy] : undefined,
        printed: outcome?.printed,
      },
    },
  }
}

const toText = ({ message }: DocumentWarning) => message

const joinSentences = (sentences: string[]) => sentences.filter(Boolean).join(' ') || undefined

function toTimes({ receivedAt, releasedAt, updatedAt }: JournalEntry): MessageInitShape<typeof WorkTimesSchema> {
  const now = Date.now()
  // The clock may have been set in the meantime.
  const toMsAgo = (time: Date) => Math.min(Math.max(now - time.getTime(), 0), UINT32_MAX)
  return {
    receivedMsAgo: toMsAgo(receivedAt),
    handedOverMsAgo: releasedAt ? toMsAgo(releasedAt) : undefined,
    endedMsAgo: toMsAgo(updatedAt),
  }
}

/** One log line with all facts of the job. */
function logFinished({ log }: Agent, entry: JournalEntry): void {
  log.info(
    {
      job_id: entry.id,
      attempt: entry.attempt,
      printer: entry.printerOsName,
      content_type: entry.contentType,
      qty: entry.qty,
      size_bytes: entry.fileSizeBytes,
      spooler_job_id: entry.spoolerJobId,
      state: entry.phase,
      message: entry.outcome.message,
      reasons: entry.outcome.reasons,
      confirmed_by: entry.outcome.confirmedBy,
      warnings: entry.warnings,
      document_warnings: entry.documentWarnings,
      until_printing_ms: entry.printingAt && entry.printingAt.getTime() - entry.receivedAt.getTime(),
      duration_ms: Date.now() - entry.receivedAt.getTime(),
    },
    'job finished',
  )
}
