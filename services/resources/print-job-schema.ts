/** Reference: docs/reference/print-jobs.md#the-job-object and docs/reference/print-jobs.md#job-events. */
import type { Job, JobEvent } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { z } from 'zod'
import { EXAMPLE_IDS } from './example-of.ts'
import { id, mode, timestamp } from './fields.ts'
import { CONFIRMED_BY, JOB_STATES } from './job-states.ts'
import { METADATA_PAIRS } from './metadata.ts'
import { createPageSchema } from './page-schema.ts'
import { PRINT_OPTIONS } from './print-options.ts'
import { createToJson } from './to-json.ts'

export const CONTENT_TYPES = ['pdf_uri', 'pdf_base64', 'image_uri', 'image_base64', 'raw_uri', 'raw_base64'] as const

export const JOB_STATE = z.enum(JOB_STATES).meta({
  id: 'JobState',
  description:
    'The state of the job. `queued`: waits for its computer. `sent`: on its way to the agent. `received`: the agent has the document. `printing`: the spooler has the document. `done` (the spooler has finished), `error`, `cancelled` and `expired` are final.',
  example: 'queued',
})

const reached = (what: string) =>
  timestamp()
    .nullable()
    .meta({ description: `The time at which the ${what}. Null before.`, example: null })

const CREATED_AT = '2026-03-02T09:30:00.125Z'

export const JOB = z
  .object({
    id: id().meta({ description: 'The id of the job.', example: EXAMPLE_IDS.printJob }),
    number: z.int().nullable().meta({
      description:
        'A number for people, counted per organization and mode, never used again. Null for jobs of release 0.1.0.',
      example: 1042,
    }),
    printerId: id().meta({ description: 'The id of the target printer.', example: EXAMPLE_IDS.printer }),
    computerId: id().meta({ description: 'The id of the computer of the printer.', example: EXAMPLE_IDS.computer }),
    destinationId: id().nullable().meta({
      description:
        'The id of the destination to which the job was sent. Until `sent`, `printerId` and `computerId` are the planned ones. Null if it was sent to a printer.',
      example: null,
    }),
    title: z.string().meta({ description: 'The title, as sent in the request.', example: 'Invoice 1042' }),
    contentType: z.enum(CONTENT_TYPES).meta({
      description: 'The format of the document and how it was sent. A reprint has the content type of its original.',
      example: 'pdf_base64',
    }),
    source: z.string().meta({ description: 'The name of the client system, as sent in the request.', example: 'shop' }),
    reportedUser: z.string().nullable().meta({
      description:
        'The user that the computer of a print access has named, which proves nothing. Null for jobs of other senders.',
      example: null,
    }),
    qty: z.int().meta({
      description:
        'The number of times that the whole job is printed. The number of printed sets is `qty` times the option `copies`.',
      example: 1,
    }),
    options: PRINT_OPTIONS.meta({
      description:
        'The requested options, completed by the defaults of the printer. `stateMessage` names those that the printer does not support.',
    }),
    metadata: METADATA_PAIRS.meta({
      description: 'The pairs of names and values, as sent in the request.',
      example: { order: '4711' },
    }),
    batchId: id().nullable().meta({
      description: 'The id of the batch that the job was created with. Null without one.',
      example: null,
    }),
    reprintOf: id().nullable().meta({
      description: 'The id of the job whose document this job prints again. Null if it has a document of its own.',
      example: null,
    }),
    retain: z.boolean().meta({
      description: 'False if the document is deleted as soon as the job has ended.',
      example: true,
    }),
    expireAfter: z
      .int()
      .meta({ description: 'The number of seconds that the job can wait for its agent.', example: 86_400 }),
    expiresAt: timestamp().meta({
      description: 'The time at which the job expires unless its agent has received it.',
      example: '2026-03-03T09:30:00.125Z',
    }),
    notBefore: timestamp().nullable().meta({
      description: 'The time before which the job is not printed, as sent. Null without one.',
      example: null,
    }),
    fileSize: z.int().nullable().meta({
      description:
        'The size of the stored document in bytes. Null until a document at a URL is fetched, or an image is converted to PDF.',
      example: 15,
    }),
    fileSha256: z.string().nullable().meta({
      description:
        'The SHA-256 of the stored document in hex. Null until a document at a URL is fetched, or an image is converted to PDF.',
      example: '7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906',
    }),
    mode: mode('The mode of the key that created the job.'),
    state: JOB_STATE,
    stateMessage: z.string().nullable().meta({
      description: 'The cause of an `error` or the options that were dropped, for people. Otherwise null.',
      example: null,
    }),
    stateReasons: z.array(z.string()).meta({
      description:
        'The same for programs: keywords such as `unconfirmed` or `option-ignored`. New keywords can be added.',
      example: [],
    }),
    confirmedBy: z.enum(CONFIRMED_BY).nullable().meta({
      description:
        'The source that confirmed that a `done` job is on paper. `printer`: the printer itself. `spooler`: the operating system, or the end of the connection. `nobody`: nothing; then `stateReasons` has `completion-unconfirmed`. Null in other states, and for jobs of earlier releases.',
      example: null,
    }),
    createdAt: timestamp().meta({ description: 'The time of the acceptance.', example: CREATED_AT }),
    sentAt: reached('job was sent to its agent'),
    receivedAt: reached('agent had received the document'),
    printingAt: reached('spooler accepted the job'),
    finishedAt: reached('job reached a final state'),
  })
  .meta({
    id: 'PrintJob',
    description: 'A print job. Never contains the document, its URL or credentials.',
  })

export const JOB_PAGE = createPageSchema(JOB, 'PrintJobPage', 'print jobs')

export type JobJson = z.infer<typeof JOB>

export const printJobToJson = createToJson<Job, typeof JOB>(JOB, { retain: (job) => !job.discardsDocument })

/** The largest size of a batch is in the request. */
export const BATCH = z
  .object({
    id: id().meta({
      description: 'The id of the batch, which each of its jobs has as `batchId`.',
      example: EXAMPLE_IDS.batch,
    }),
    jobs: z.array(JOB).meta({ description: 'The jobs, in the order in which they are printed.' }),
  })
  .meta({ id: 'PrintJobBatch', description: 'Jobs that were created together.' })

/** @param jobs of one batch, in its order. */
export const batchToJson = (jobs: Job[]): z.infer<typeof BATCH> => ({
  id: jobs[0]?.batchId ?? '',
  jobs: jobs.map(printJobToJson),
})

export const JOB_EVENT = z
  .object({
    id: z.string().meta({ description: 'The id of the event.', example: EXAMPLE_IDS.event }),
    state: JOB_STATE,
    message: z.string().nullable().meta({
      description: 'An explanation for people, such as `resend 1/3` or the cause of a failure.',
      example: null,
    }),
    actor: z.enum(['api', 'agent', 'system', 'user']).meta({
      description:
        'The cause of the change: an API key (`api`), the agent, the service itself (`system`), or a user of the dashboard.',
      example: 'api',
    }),
    createdAt: timestamp().meta({ description: 'The time of the change.', example: CREATED_AT }),
  })
  .meta({ id: 'PrintJobEvent', description: 'A change of the state of a job.' })

export const printJobEventToJson = createToJson<JobEvent, typeof JOB_EVENT>(JOB_EVENT, {})

export const JOB_EVENT_LIST = z
  .object({ data: z.array(JOB_EVENT).meta({ description: 'All events of the job, the oldest first.' }) })
  .meta({ id: 'PrintJobEventList', description: 'All events of a job. This list has no pages.' })
