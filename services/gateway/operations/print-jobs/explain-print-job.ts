import type { JobDetails } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { COMPUTER } from '@platen/resources/computer-schema.ts'
import { computerToJson } from '@platen/resources/computer-to-json.ts'
import { EVENT_PRINTER } from '@platen/resources/event-schema.ts'
import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { described, id, timestamp } from '@platen/resources/fields.ts'
import { NEXT_STEPS, type NextStep } from '@platen/resources/next-steps.ts'
import { JOB, JOB_EVENT } from '@platen/resources/print-job-schema.ts'
import { printJobEventToJson, printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { printerToJson } from '@platen/resources/printer-to-json.ts'
import { z } from 'zod'
import { getCaller } from '../../context.ts'
import { type NamedActors, nameActors } from '../../explain/actors.ts'
import { EXAMPLE_JOBS, EXAMPLE_NOW } from '../../explain/examples.ts'
import { explain } from '../../explain/explain.ts'
import type { Found } from '../../explain/facts.ts'
import { readFound } from '../../explain/read-facts.ts'
import { PAPER } from '../../explain/rule.ts'
import { toFacts } from '../../explain/to-facts.ts'
import { operation } from '../../operation.ts'
import { required } from '../../required.ts'
import { EVENT } from '../events/event.ts'

const ACTION = z
  .object({
    kind: z.enum(Object.keys(NEXT_STEPS) as NextStep[]).meta({
      description: 'What to do, for programs. New kinds can be added.',
      example: 'start_computer',
    }),
    text: z.string().meta({
      description: 'The same in a sentence.',
      example: 'Switch computer Back office on and check its network.',
    }),
    printerId: id().optional().meta({ description: 'The printer that the action is about.' }),
    computerId: id().optional().meta({ description: 'The computer that the action is about.' }),
    jobId: id().optional().meta({ description: 'The job that the action is about.' }),
  })
  .meta({ description: 'A next step.' })

const FACT = z
  .object({
    name: z.string().meta({ description: 'What the fact is about.', example: 'computer' }),
    value: z.string().meta({ description: 'The fact, for people.', example: 'Back office: offline' }),
    ref: z
      .string()
      .nullable()
      .meta({
        description: 'The path of the resource. Null without one.',
        example: `/v1/computers/${EXAMPLE_IDS.computer}`,
      }),
  })
  .meta({ description: 'A fact that the explanation is based on.' })

const ACTOR = z
  .object({
    kind: z.enum(['key', 'user']).meta({ description: 'An API key, or a user of the dashboard.', example: 'key' }),
    id: id().meta({ description: 'Its id.', example: EXAMPLE_IDS.apiKey }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Its name. Null if it is not shown to API keys.', example: 'Shop' }),
  })
  .meta({ description: 'Who made the request.' })

const QUEUE = z
  .object({
    position: z.int().nullable().meta({
      description:
        'Place of the job among the unfinished jobs of its printer. Null behind the first 1,000 jobs of the computer.',
      example: 3,
    }),
    length: z.int().meta({ description: 'Unfinished jobs of the printer, up to 1,000.', example: 12 }),
    headJobId: id().nullable().meta({ description: 'The first of these jobs.', example: EXAMPLE_IDS.printJob }),
  })
  .meta({ description: 'The unfinished jobs of the printer.' })

const EXPLANATION = z
  .object({
    jobId: id().meta({ description: 'The id of the job.' }),
    code: z
      .string()
      .meta({ description: 'The cause, for programs. A code never changes its meaning; new ones can be added.' }),
    paper: z.enum(PAPER).meta({
      description:
        'Whether there is paper. `none`: nothing was and will be printed. `not_yet`: nothing was printed, but the job continues. `printing`, `printed`. `maybe`: unknown; look for the paper before you print again.',
    }),
    headline: z.string().meta({ description: 'Whether there is paper, for people.' }),
    cause: z.string().meta({ description: 'The cause, for people, with the names of printer and computer.' }),
    since: timestamp().nullable().meta({ description: 'Since when the cause exists, as far as it is known.' }),
    until: timestamp()
      .nullable()
      .meta({ description: 'When the job ends at the latest if the cause remains. Null if it has ended.' }),
    actions: z.array(ACTION).meta({ description: 'What to do, the most important first.' }),
    facts: z.array(FACT).meta({ description: 'What the explanation is based on.' }),
    job: described(JOB, 'The job.'),
    createdBy: ACTOR.nullable().meta({ description: 'Who created the job. Null if it is not known.' }),
    cancelledBy: ACTOR.nullable().meta({ description: 'Who cancelled the job. Null unless it is known.' }),
    events: z.array(JOB_EVENT).meta({ description: 'The newest 200 events of the job, the oldest first.' }),
    around: z.array(EVENT).meta({
      description:
        'Events of the printer and the computer from the creation of the job to its end, at most 100, the oldest first.',
    }),
    printer: described(EVENT_PRINTER, 'The printer as it is now, without its capabilities.').nullable().meta({
      description: 'The printer as it is now, without its capabilities. Null if it was removed.',
    }),
    computer: described(COMPUTER, 'The computer as it is now.').nullable().meta({
      description: 'The computer as it is now. Null if it was deleted.',
    }),
    queue: QUEUE.nullable().meta({ description: 'The queue of the printer. Null for a job that has ended.' }),
  })
  .meta({ id: 'PrintJobExplanation', description: 'Why a job was printed, was not printed, or waits.' })

type ExplanationJson = Record<keyof z.infer<typeof EXPLANATION>, unknown>

export const explainPrintJob = operation({
  operationId: 'explainPrintJob',
  method: 'get',
  path: '/v1/printjobs/{id}/explanation',
  ids: { id: 'print job' },
  scope: 'read',
  tag: 'Print jobs',
  summary: 'Explain a print job',
  description:
    'Says in words why the job was printed, was not printed or waits: `headline` whether there is paper, `cause` why, `actions` what to do. The explanation is made from the states of job, printer and computer, their events and the queue, which the response contains.',
  answer: {
    status: 200,
    description: 'The explanation.',
    schema: EXPLANATION,
    examples: Object.fromEntries(
      Object.entries(EXAMPLE_JOBS).map(([title, found]) => [
        title,
        explanationToJson(found, { createdBy: null, cancelledBy: null }, EXAMPLE_NOW),
      ]),
    ),
  },
  handle:
    ({ jobs, clock, accounts, ...services }) =>
    async ({ ctx, tenant, ids }) => {
      const { details } = await jobs.getJobDetails({ ...tenant, jobId: ids.id })
      const [found, actors] = await Promise.all([
        readFound(services, required(details)),
        nameActors(accounts, getCaller(ctx), required(details?.job)),
      ])
      return explanationToJson(found, actors, clock.now())
    },
})

function explanationToJson(found: Found, actors: NamedActors, now: Date): ExplanationJson {
  const { details, printer, computer, deviceEvents } = found
  const facts = toFacts(found, now)
  const { since, until, ...explanation } = explain(facts)
  const job = printJobToJson(facts.job)
  const createdAt = job.createdAt ?? ''
  return {
    jobId: job.id,
    ...explanation,
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    job,
    ...actors,
    events: details.events.map(printJobEventToJson),
    around: deviceEvents.filter(({ timestamp }) => timestamp >= createdAt),
    printer: printer ? withoutCapabilities(printerToJson(printer)) : null,
    computer: computer ? computerToJson(computer) : null,
    queue: queueToJson(details),
  }
}

function withoutCapabilities({ capabilities: _, ...printer }: ReturnType<typeof printerToJson>) {
  return printer
}

function queueToJson({ queue }: JobDetails) {
  return queue ? { position: queue.position || null, length: queue.length, headJobId: queue.headJobId || null } : null
}
