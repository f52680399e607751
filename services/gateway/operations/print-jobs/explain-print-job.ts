import type { JobDetails } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { COMPUTER, computerToJson } from '@platen/resources/computer-schema.ts'
import { EVENT, EVENT_PRINTER } from '@platen/resources/event-schema.ts'
import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { EXAMPLE_JOBS, EXAMPLE_NOW } from '@platen/resources/explain/examples.ts'
import { explain } from '@platen/resources/explain/explain.ts'
import type { Found } from '@platen/resources/explain/facts.ts'
import { PAPER } from '@platen/resources/explain/rule.ts'
import { toFacts } from '@platen/resources/explain/to-facts.ts'
import { described, id, timestamp } from '@platen/resources/fields.ts'
import { NEXT_STEPS, type NextStep } from '@platen/resources/next-steps.ts'
import { JOB, JOB_EVENT, printJobEventToJson, printJobToJson } from '@platen/resources/print-job-schema.ts'
import { printerToJson } from '@platen/resources/printer-schema.ts'
import { readJobFacts } from '@platen/runtime/rpc/read-job-facts.ts'
import { z } from 'zod'
import { getCaller } from '../../context.ts'
import { type NamedActors, nameActors } from '../../explain/actors.ts'
import { LIST, operation } from '../../operation/operation.ts'
import { required } from '../../required.ts'

const ACTION = z
  .object({
    kind: z.enum(Object.keys(NEXT_STEPS) as NextStep[]).meta({
      description: 'The kind of the action, for programs. New kinds can be added.',
      example: 'start_computer',
    }),
    text: z.string().meta({
      description: 'The action, for people.',
      example: 'Switch computer Back office on and check its network.',
    }),
    printerId: id().optional().meta({ description: 'The id of the printer of the action.' }),
    computerId: id().optional().meta({ description: 'The id of the computer of the action.' }),
    jobId: id().optional().meta({ description: 'The id of the job of the action.' }),
  })
  .meta({ id: 'ExplanationAction', description: 'A next step.' })

const FACT = z
  .object({
    name: z.string().meta({ description: 'The subject of the fact.', example: 'computer' }),
    value: z.string().meta({ description: 'The fact, for people.', example: 'Back office: offline' }),
    ref: z
      .string()
      .nullable()
      .meta({
        description: 'The path of the resource. Null without one.',
        example: `/v1/computers/${EXAMPLE_IDS.computer}`,
      }),
  })
  .meta({ id: 'ExplanationFact', description: 'A fact on which the explanation is based.' })

const ACTOR = z
  .object({
    kind: z
      .enum(['key', 'user', 'print_access'])
      .meta({ description: 'An API key, a user of the dashboard, or a print access.', example: 'key' }),
    id: id().meta({ description: 'The id of the key, user or print access.', example: EXAMPLE_IDS.apiKey }),
    name: z.string().nullable().meta({
      description: 'The name of the key, user or print access. Null if it is not shown to API keys.',
      example: 'Shop',
    }),
  })
  .meta({ id: 'ExplanationActor', description: 'The sender of a request.' })

const QUEUE = z
  .object({
    position: z.int().nullable().meta({
      description:
        'The position of the job among the unfinished jobs of its printer. Null after the first 1,000 jobs of the computer.',
      example: 3,
    }),
    length: z.int().meta({ description: 'The number of unfinished jobs of the printer, up to 1,000.', example: 12 }),
    headJobId: id()
      .nullable()
      .meta({ description: 'The id of the first of these jobs.', example: EXAMPLE_IDS.printJob }),
  })
  .meta({ id: 'PrinterQueue', description: 'The unfinished jobs of the printer.' })

const EXPLANATION = z
  .object({
    jobId: id().meta({ description: 'The id of the job.' }),
    code: z
      .string()
      .meta({ description: 'The cause, for programs. A code never changes its meaning; new ones can be added.' }),
    paper: z.enum(PAPER).meta({
      description:
        'The result on paper. `none`: nothing was printed, and nothing will be. `not_yet`: nothing was printed, but the job continues. `printing`, `printed`. `maybe`: unknown; look for the paper before you print again.',
    }),
    headline: z.string().meta({ description: 'The result on paper, for people.' }),
    cause: z.string().meta({ description: 'The cause, for people, with the names of printer and computer.' }),
    since: timestamp()
      .nullable()
      .meta({ description: 'The time since which the cause exists. Null if it is not known.' }),
    until: timestamp().nullable().meta({
      description: 'The time at which the job ends at the latest if the cause remains. Null if it has ended.',
    }),
    actions: z.array(ACTION).meta({ description: 'The actions to take, the most important first.' }),
    facts: z.array(FACT).meta({ description: 'The facts on which the explanation is based.' }),
    job: described(JOB, 'The job.'),
    createdBy: ACTOR.nullable().meta({ description: 'The creator of the job. Null if it is not known.' }),
    cancelledBy: ACTOR.nullable().meta({
      description: 'The sender of the cancellation. Null without one, or if it is not known.',
    }),
    events: z.array(JOB_EVENT).meta({ description: 'The newest 200 events of the job, the oldest first.' }),
    around: z.array(EVENT).meta({
      description:
        'Events of the printer and the computer from the creation of the job to its end, at most 100, the oldest first.',
    }),
    printer: EVENT_PRINTER.nullable().meta({
      description: 'The present printer, without its capabilities. Null if it was removed.',
    }),
    computer: COMPUTER.nullable().meta({
      description: 'The present computer. Null if it was deleted.',
    }),
    queue: QUEUE.nullable().meta({ description: 'The queue of the printer. Null for a job that has ended.' }),
  })
  .meta({ id: 'PrintJobExplanation', description: 'An explanation of the state of a job.' })

type ExplanationJson = Record<keyof z.infer<typeof EXPLANATION>, unknown>

export const explainPrintJob = operation({
  operationId: 'explainPrintJob',
  method: 'get',
  path: '/v1/printjobs/{id}/explanation',
  ids: { id: 'print job' },
  scope: 'read',
  tag: 'Print jobs',
  // It calls four services.
  units: LIST,
  summary: 'Explain a print job',
  description:
    'Explains the state of the job: `headline` (whether it was printed), `cause`, and `actions` to take. The explanation is derived from the states of job, printer and computer, their events and the queue, which the response contains.',
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
        readJobFacts(services, required(details)),
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
