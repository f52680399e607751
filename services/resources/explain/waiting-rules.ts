/** Rules for jobs in `queued` and `sent`, of which nothing was printed. */
import { UNACKNOWLEDGED_JOBS_MAX } from '../limits.ts'
import { findStateReason } from '../state-reasons.ts'
import { DESTINATION_RULES } from './destination-rules.ts'
import type { Facts } from './facts.ts'
import { notYet, untilExpiry } from './not-yet.ts'
import type { Rule } from './rule.ts'
import { countJobs, toDuration, toTime } from './texts.ts'
import { toDate } from './to-facts.ts'

const forHowLong = (since: Date | null | undefined, { now }: Facts) =>
  since && since < now ? ` for ${toDuration(now.getTime() - since.getTime())}` : ''

/** The events after the last one of creation or requeue, for example resends. */
const countResends = ({ events }: Facts) => {
  const last = events.findLastIndex(({ state }) => state !== 'sent')
  return Math.max(0, events.length - last - 2)
}

/** Whether it began before the job has ended, if it has. */
const beganBefore = (time: Date | undefined, { job, now }: Facts) =>
  time !== undefined && time <= (toDate(job.finishedAt) ?? now)

const computerUnauthorized: Rule = {
  code: 'computer-unauthorized',
  waits: true,
  applies: (facts) => facts.computer?.state !== 'online' && beganBefore(facts.computer?.unauthorizedAt, facts),
  explain(facts) {
    const since = facts.computer?.unauthorizedAt ?? null
    const cause = `The agent of computer {computer} has been refused${forHowLong(since, facts)}, because its credential was replaced.`
    return notYet(facts, cause + untilExpiry(facts), {
      since,
      nextSteps: ['enrol_again', 'print_elsewhere'],
      waitedFor: 'computer {computer}, whose credential was replaced',
    })
  },
}

const computerOffline: Rule = {
  code: 'computer-offline',
  waits: true,
  applies: ({ computer }) => computer?.state !== 'online',
  explain(facts) {
    const since = facts.computer?.since ?? null
    return notYet(facts, `Computer {computer} has been offline${forHowLong(since, facts)}.${untilExpiry(facts)}`, {
      since,
      nextSteps: ['start_computer', 'run_doctor', 'print_elsewhere'],
      waitedFor: 'computer {computer}, which was offline',
    })
  },
}

/**
 * The agent reports it for each printer of the computer, because it may not be able to record the jobs that it
 * receives.
 */
export const isDiskFull = ({ printer }: Facts) => printer?.stateReasons.includes('computer-disk-full') ?? false

const computerDiskFull: Rule = {
  code: 'computer-disk-full',
  waits: true,
  applies: isDiskFull,
  explain(facts) {
    const { cause = '', nextSteps = [] } = findStateReason('computer-disk-full', 'received') ?? {}
    return notYet(facts, cause + untilExpiry(facts), {
      since: null,
      nextSteps,
      waitedFor: 'computer {computer}, whose disk was full',
    })
  },
}

const documentNotDownloaded: Rule = {
  code: 'document-not-downloaded',
  applies: ({ job }) => job.stateReasons.includes('document-not-downloaded'),
  explain(facts) {
    const { cause = '', nextSteps = [] } = findStateReason('document-not-downloaded', 'sent') ?? {}
    return notYet(facts, cause, {
      nextSteps,
      waitedFor: 'computer {computer}, which could not download the document',
    })
  },
}

const NOT_ACKNOWLEDGED = {
  nextSteps: ['check_agent', 'run_doctor', 'print_elsewhere'],
  waitedFor: 'the agent on computer {computer}, which did not acknowledge the job',
} as const

const describeFetch = ({ job: { contentType } }: Facts) =>
  contentType === 'image_base64'
    ? 'The image is being converted to PDF.'
    : contentType === 'image_uri'
      ? 'The image is being fetched from its URL and converted to PDF.'
      : 'The document is being fetched from its URL.'

export const QUEUED_RULES: readonly Rule[] = [
  {
    code: 'fetching-document',
    applies: ({ isFetching }) => isFetching,
    explain: (facts) =>
      notYet(facts, describeFetch(facts), {
        since: toDate(facts.job.createdAt) ?? null,
        nextSteps: ['wait'],
        waitedFor: 'its document, which was not fetched or converted',
      }),
  },
  {
    code: 'held',
    applies: ({ job }) => job.stateReasons.includes('held'),
    explain: (facts) =>
      notYet(facts, `The job is held until it is released.${untilExpiry(facts)}`, {
        since: toDate(facts.job.createdAt) ?? null,
        nextSteps: ['release', 'wait'],
        waitedFor: 'its release',
      }),
  },
  {
    code: 'scheduled',
    applies: ({ job }) => job.stateReasons.includes('scheduled'),
    explain(facts) {
      const time = toDate(facts.job.notBefore)
      return notYet(facts, `The job is not printed before ${time ? toTime(time) : 'its time'}.`, {
        nextSteps: ['wait'],
        waitedFor: 'its time',
      })
    },
  },
  ...DESTINATION_RULES,
  {
    code: 'printer-removed',
    applies: ({ printer }) => printer === undefined,
    explain: (facts) =>
      notYet(facts, `Computer {computer} no longer reports printer {printer}.${untilExpiry(facts)}`, {
        nextSteps: ['check_queue', 'print_elsewhere'],
        waitedFor: 'printer {printer}, which computer {computer} no longer reported',
      }),
  },
  {
    code: 'computer-paused',
    waits: true,
    applies: (facts) => beganBefore(facts.computer?.pausedAt, facts),
    explain(facts) {
      const since = facts.computer?.pausedAt ?? null
      return notYet(facts, `Computer {computer} has been paused${forHowLong(since, facts)}.${untilExpiry(facts)}`, {
        since,
        nextSteps: ['resume_computer', 'print_elsewhere'],
        waitedFor: 'computer {computer}, which was paused',
      })
    },
  },
  {
    code: 'printer-disabled',
    applies: ({ printer }) => printer?.enabled === false,
    explain: (facts) =>
      notYet(facts, `Printer {printer} is disabled.${untilExpiry(facts)}`, {
        nextSteps: ['enable_printer', 'print_elsewhere'],
        waitedFor: 'printer {printer}, which was disabled',
      }),
  },
  computerUnauthorized,
  computerOffline,
  {
    code: 'printer-offline',
    waits: true,
    applies: ({ printer }) => printer?.state === 'offline',
    explain(facts) {
      const since = facts.printer?.since ?? null
      const cause = `Printer {printer} at computer {computer} has been offline${forHowLong(since, facts)}.`
      return notYet(facts, cause + untilExpiry(facts), {
        since,
        nextSteps: ['check_printer', 'print_elsewhere'],
        waitedFor: 'printer {printer}, which was offline',
      })
    },
  },
  computerDiskFull,
  documentNotDownloaded,
  {
    code: 'not-acknowledged',
    applies: ({ events }) => events.length > 1,
    explain: (facts) =>
      notYet(facts, 'The agent on computer {computer} did not acknowledge the job, so it is sent again.', {
        ...NOT_ACKNOWLEDGED,
      }),
  },
  {
    code: 'agent-window-full',
    applies: ({ queue }) => (queue?.unacknowledged ?? 0) >= UNACKNOWLEDGED_JOBS_MAX,
    explain: (facts) =>
      notYet(facts, `Computer {computer} has not acknowledged ${UNACKNOWLEDGED_JOBS_MAX} earlier jobs yet.`, {
        nextSteps: ['open_job', 'check_agent'],
        waitedFor: 'computer {computer}, which was busy with earlier jobs',
      }),
  },
  {
    code: 'waits-for-batch',
    applies: ({ queue }) => queue !== undefined && (queue.batchBegun || queue.batchBefore > 0),
    explain(facts) {
      const { batchBefore = 0 } = facts.queue ?? {}
      const cause =
        batchBefore > 0
          ? `Printer {printer} prints the jobs of a batch in their order, and ${countJobs(batchBefore)} of the batch ${batchBefore === 1 ? 'has' : 'have'} not ended.`
          : 'Printer {printer} is printing a batch, without other jobs between its jobs.'
      return notYet(facts, cause, { nextSteps: ['open_job', 'wait'], waitedFor: 'earlier jobs of printer {printer}' })
    },
  },
  {
    code: 'behind-other-jobs',
    applies: ({ queue }) => queue !== undefined && queue.position !== 1,
    explain(facts) {
      const { position = 0, length = 0 } = facts.queue ?? {}
      const ahead = position > 0 ? position - 1 : length
      return notYet(facts, `Printer {printer} has ${countJobs(ahead)} before this one.`, {
        nextSteps: ['open_job', 'wait'],
        waitedFor: 'earlier jobs of printer {printer}',
      })
    },
  },
  {
    code: 'ready',
    applies: () => true,
    explain: (facts) =>
      notYet(facts, 'The job is the next one for computer {computer}, which is online.', {
        nextSteps: ['wait'],
        waitedFor: 'computer {computer}',
      }),
  },
]

export const SENT_RULES: readonly Rule[] = [
  computerUnauthorized,
  computerOffline,
  computerDiskFull,
  documentNotDownloaded,
  {
    code: 'not-acknowledged',
    applies: (facts) => countResends(facts) > 0,
    explain(facts) {
      const times = countResends(facts) + 1
      const cause = `The agent on computer {computer} has not acknowledged the job, which was sent ${times} times.`
      return notYet(facts, cause + untilExpiry(facts), { ...NOT_ACKNOWLEDGED })
    },
  },
  {
    code: 'on-its-way',
    applies: () => true,
    explain: (facts) =>
      notYet(facts, 'The job is on its way to computer {computer}.', {
        nextSteps: ['wait'],
        waitedFor: NOT_ACKNOWLEDGED.waitedFor,
      }),
  },
]
