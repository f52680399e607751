/** Example jobs for the OpenAPI document, one for each group of codes. Their explanations are made by the rules. */
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ComputerSchema, PrinterSchema } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { JobDetailsSchema, type JobSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { COMPUTER } from '../computer-schema.ts'
import { createExample, EXAMPLE_IDS } from '../example-of.ts'
import { isFinalState, type JobState } from '../job-states.ts'
import { JOB } from '../print-job-schema.ts'
import { PRINTER } from '../printer-schema.ts'
import type { Found } from './facts.ts'

const job = createExample(JOB)
const createdAt = new Date(job.createdAt)
const after = (seconds: number) => timestampFromDate(new Date(createdAt.getTime() + seconds * 1000))

/** The time of all examples: 12 minutes after the creation of the job. */
export const EXAMPLE_NOW = new Date(createdAt.getTime() + 12 * 60_000)

const STATES_BEFORE: Record<JobState, JobState[]> = {
  queued: [],
  sent: ['queued'],
  received: ['queued', 'sent'],
  printing: ['queued', 'sent', 'received'],
  done: ['queued', 'sent', 'received', 'printing'],
  error: ['queued', 'sent', 'received', 'printing'],
  cancelled: ['queued'],
  expired: ['queued'],
}

interface Changes {
  /** After the creation of the job, in seconds. */
  states?: JobState[]
  job?: MessageInitShape<typeof JobSchema>
  printer?: MessageInitShape<typeof PrinterSchema>
  computer?: MessageInitShape<typeof ComputerSchema>
}

/** What services say about a job in this state. @param changes `states`: the states before, if they differ. */
export function exampleFound(state: JobState, changes: Changes = {}): Found {
  const { states = STATES_BEFORE[state] } = changes
  const printer = createExample(PRINTER)
  const computer = createExample(COMPUTER)
  const hasEnded = isFinalState(state)
  const passed = [...states, state]
  const time = (reached: JobState) => (passed.includes(reached) ? after(passed.indexOf(reached)) : undefined)
  const { options: _, retain: __, notBefore: ___, fileSize, ...shown } = withoutNulls(job)
  return {
    details: create(JobDetailsSchema, {
      job: {
        ...shown,
        organizationId: EXAMPLE_IDS.organization,
        expiresAt: after(job.expireAfter),
        fileSize: BigInt(fileSize ?? 0),
        state,
        createdAt: after(0),
        sentAt: time('sent'),
        receivedAt: time('received'),
        printingAt: time('printing'),
        finishedAt: hasEnded ? after(passed.length - 1) : undefined,
        ...changes.job,
      },
      events: passed.map((reached, n) => ({
        id: EXAMPLE_IDS.event,
        state: reached,
        actor: reached === 'queued' || reached === 'cancelled' ? 'api' : 'agent',
        createdAt: after(n),
      })),
      attempt: passed.includes('sent') ? 1 : 0,
      documentKeptUntil: after(7 * 24 * 3600),
      queue: hasEnded ? undefined : { position: 1, length: 1, headJobId: job.id, unacknowledged: 0 },
      printingUntil: state === 'printing' ? after(passed.length - 1 + 15 * 60) : undefined,
    }),
    printer: create(PrinterSchema, {
      id: printer.id,
      computerId: computer.id,
      name: printer.name,
      osName: printer.osName,
      description: printer.description,
      displayName: printer.displayName,
      enabled: true,
      state: 'online',
      createdAt: after(-86_400),
      updatedAt: after(-86_400),
      ...changes.printer,
    }),
    computer: create(ComputerSchema, {
      ...computer,
      agentUpdate: undefined,
      spoolerProblem: undefined,
      pausedAt: undefined,
      unauthorizedAt: undefined,
      state: 'online',
      lastSeenAt: after(700),
      createdAt: after(-86_400),
      ...changes.computer,
    }),
    deviceEvents: [],
  }
}

/** A field that is null in JSON is not set in a message. */
const withoutNulls = <Json extends object>(json: Json) =>
  Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null)) as {
    [Name in keyof Json]: Exclude<Json[Name], null>
  }

/** Examples by title. */
export const EXAMPLE_JOBS: Record<string, Found> = {
  'Waiting: the computer is offline': exampleFound('queued', {
    printer: { state: 'unknown' },
    computer: { state: 'offline', lastSeenAt: after(-3600) },
  }),
  'Waiting at the printer': exampleFound('printing', {
    job: { stateReasons: ['media-empty'], stateMessage: 'Tray 1 is empty.' },
    printer: { stateReasons: ['media-empty'] },
  }),
  Printed: exampleFound('done'),
  'Failed, nothing was printed': exampleFound('error', {
    states: ['queued'],
    job: { stateReasons: ['fetch-failed'], stateMessage: 'The server answered with status 404.' },
  }),
  'Failed, the paper must be checked': exampleFound('error', {
    job: { stateReasons: ['spooler-timeout'], stateMessage: 'spooler timeout' },
  }),
  Cancelled: exampleFound('cancelled'),
  Expired: exampleFound('expired', { printer: { enabled: false } }),
}
