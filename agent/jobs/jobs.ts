/**
 * Handles messages of the server about jobs. A message is journaled synchronously when it arrives, so the task of a job
 * needs only the journal to know its phase.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectResponse, Granted, Print, Refused } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import pLimit from 'p-limit'
import type { Agent } from '../agent.ts'
import { getMsLeft, hasExpired } from '../expiry.ts'
import { hasEnded } from '../journal/phases.ts'
import { retry } from '../retry.ts'
import { fetchDocument, fetchGranted } from './fetch-document.ts'
import { follow } from './follow.ts'
import { handOver } from './hand-over.ts'
import { type Incoming, isValid, type SentJob, toFacts } from './incoming.ts'
import { permissionKey, requestPermission } from './permission.ts'
import { createPrinterQueues, type QueueSlot } from './printer-queues.ts'
import { createRemovals } from './removals.ts'
import { createReports } from './reports.ts'
import { createTasks } from './tasks.ts'

/** Saturates a connection; each download holds one chunk in memory. */
const CONCURRENT_DOWNLOADS = 4

/**
 * For jobs that wait at the spooler. The service ends a job that prints for longer:
 * docs/reference/print-jobs.md#spooler-timeout.15m.
 */
const FINISH_TIMEOUT_MS = 15 * 60 * 1000

/** Uptimes are whole seconds on some systems. */
const UPTIME_STEP_MS = 1_000

export type Jobs = ReturnType<typeof createJobs>

export function createJobs(agent: Agent) {
  const { journal, uplink, documents, log } = agent
  const tasks = createTasks(agent)
  const reports = createReports(agent, tasks)
  const removals = createRemovals(agent, tasks)
  const printerQueues = createPrinterQueues()
  const limitDownloads = pLimit(CONCURRENT_DOWNLOADS)
  const incoming = new Map<string, Incoming>()

  /** Receives a job that is unknown, or was refused before. */
  async function receive(sent: SentJob): Promise<void> {
    const { id, printerOsName } = sent.facts
    const job: Incoming = { ...sent, slot: printerQueues.add(printerOsName, journal.nextSequence()) }
    incoming.set(id, job)
    try {
      await delayReceipt(job)
      if (!(await fetchDocument(agent, limitDownloads, reports, job))) return
      const slot = job.slot ?? printerQueues.add(printerOsName, journal.nextSequence())
      job.slot = slot
      if (!(await stage(job, slot))) return
      tasks.start(id, () => processJob(id, slot))
      job.slot = undefined
    } finally {
      job.slot?.release()
      incoming.delete(id)
    }
  }

  /** Later jobs of the printer do not wait for it. A job whose delay is longer than it may wait expires. */
  async function delayReceipt(job: Incoming): Promise<void> {
    const delayMs = agent.getReceiptDelayMs?.(job.facts.title) ?? 0
    if (delayMs === 0) return
    job.slot?.release()
    job.slot = undefined
    const expiredMs = Math.max(0, getMsLeft(agent.clock, job.facts)) + UPTIME_STEP_MS
    await agent.clock.sleep(Math.min(delayMs, expiredMs), agent.stopping)
  }

  /** Waits until the journal can be written. @returns false if the job expires before. */
  async function stage(job: Incoming, slot: QueueSlot): Promise<boolean> {
    let isStaged = false
    await retry(agent, job.facts.id, 'journaling the job failed', async () => {
      if (hasExpired(agent.clock, job.facts)) return await documents.remove(job.facts.id)
      journal.stage(job.facts, slot.sequence)
      isStaged = true
    })
    return isStaged
  }

  /** Continues from the journaled phase to the outcome. */
  async function processJob(id: string, slot: QueueSlot): Promise<void> {
    try {
      await retry(agent, id, 'handing the job over failed', async () => {
        if (journal.get(id)?.phase === 'staged') await requestPermission(agent, id)
        if (journal.get(id)?.phase === 'refused') return
        await slot.ready
        await fetchGranted(agent, limitDownloads, reports, id)
        await handOver(agent, removals, reports, id)
      })
    } finally {
      slot.release()
    }
    await watch(id)
  }

  /** Continues from `released` to the outcome. */
  async function watch(id: string): Promise<void> {
    await removals.released(id)
    await follow(agent, reports, id)
    removals.ended(id)
  }

  /** A resent job is answered from the journal in any phase, without a spooler call. */
  async function accept(sent: SentJob): Promise<void> {
    const { id, attempt } = sent.facts
    const arriving = incoming.get(id)
    const known = journal.get(id)
    if (arriving) Object.assign(arriving, sent)
    else if (!known || known.phase === 'refused') await receive(sent)
    else {
      journal.setAttempt(id, attempt)
      tasks.start(id, () => requestPermission(agent, id))
    }
  }

  function print(message: Print): void {
    if (!isValid(message)) {
      log.warn({ job_id: message.jobId }, 'job with an invalid id or size ignored')
      return
    }
    const facts = toFacts(agent.clock, message)
    tasks.start(facts.id, () => accept({ content: message.content, facts }))
  }

  /** A grant for a job that was handed over before means that the server lost its reports. */
  function granted({ jobId, attempt }: Granted): void {
    const entry = journal.get(jobId)
    if (entry?.attempt !== attempt || !uplink.isPending(permissionKey(jobId))) return
    if (entry.phase === 'staged') journal.move(jobId, 'staged', 'granted')
    else if (entry.phase !== 'refused') {
      journal.reportAgain(jobId)
      reports.deliver(jobId)
    }
    uplink.answer(permissionKey(jobId))
  }

  /** The document is kept if the job will be resent. A granted job is refused only when it has ended. */
  function refused({ jobId, attempt, state }: Refused): void {
    const entry = journal.get(jobId)
    if (entry?.attempt !== attempt) return
    const willBeResent = state === 'queued' || state === 'sent'
    const isGrantedToAgent = state === 'received' || state === 'printing'
    if (entry.phase === 'staged' || (entry.phase === 'granted' && !willBeResent && !isGrantedToAgent)) {
      journal.move(jobId, entry.phase, 'refused')
      log.info({ job_id: jobId, attempt, state }, 'job refused')
      if (!willBeResent) tasks.start(jobId, () => documents.remove(jobId))
    }
    uplink.answer(permissionKey(jobId))
  }

  return {
    /**
     * Resumes unsettled jobs in their original order. Jobs that may still be printed wait for Welcome, because the
     * server sends removals of jobs that ended in the meantime before it.
     */
    resume(): void {
      for (const { id, phase, printerOsName, sequence } of journal.unsettled()) {
        reports.deliver(id)
        if (phase === 'released') tasks.start(id, () => watch(id))
        else if (!hasEnded(phase)) {
          const slot = printerQueues.add(printerOsName, sequence)
          tasks.start(id, async () => {
            await uplink.stream()
            await processJob(id, slot)
          })
        }
      }
    },

    /** A message that cannot be journaled is ignored. The agent repeats its request, or the service its order. */
    handle({ message }: ConnectResponse): void {
      try {
        if (message.case === 'print') print(message.value)
        if (message.case === 'granted') granted(message.value)
        if (message.case === 'refused') refused(message.value)
        if (message.case === 'remove') removals.remove(message.value)
        if (message.case === 'reportConfirmed') reports.confirmed(message.value)
      } catch (error) {
        log.warn({ err: error, message: message.case }, 'message of the service ignored: journaling it failed')
      }
    },

    /**
     * Hands over nothing more, because another agent has connected with the same credential. Resolves when each job of
     * the spooler is reported, or after `FINISH_TIMEOUT_MS`.
     *
     * @throws when the agent stops.
     */
    async finish(): Promise<void> {
      agent.isSuperseded = true
      log.warn({ jobs: journal.unsettled().length }, 'superseded: the agent finishes the jobs of the spooler')
      await Promise.race([tasks.ended(), sleep(FINISH_TIMEOUT_MS, undefined, { signal: agent.stopping })])
    },

    /** Resolves when all tasks have ended, soon after the agent begins to stop. */
    ended: tasks.ended,
  }
}
