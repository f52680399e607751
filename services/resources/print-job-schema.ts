/** Reference: docs/reference/print-jobs.md#the-job-object and docs/reference/print-jobs.md#job-events. */
import { z } from 'zod'
import { EXAMPLE_IDS } from './example-of.ts'
import { id, mode, timestamp } from './fields.ts'
import { createPageSchema } from './page-schema.ts'
import { PRINT_OPTIONS } from './print-options.ts'

export const CONTENT_TYPES = ['pdf_uri', 'pdf_base64', 'raw_uri', 'raw_base64'] as const

export const JOB_STATE = z
  .enum(['queued', 'sent', 'received', 'printing', 'done', 'error', 'cancelled', 'expired'])
  .meta({
    description:
      'Where the job is. `queued`: it waits for its computer. `sent`: it is on its way to the agent. `received`: the agent has the document. `printing`: the spooler has it. Final are `done` (the spooler finished), `error`, `cancelled` and `expired`.',
    example: 'queued',
  })

const reached = (what: string) =>
  timestamp()
    .nullable()
    .meta({ description: `When it ${what}. Null until then.`, example: null })

const CREATED_AT = '2026-03-02T09:30:00.125Z'

export const JOB = z
  .object({
    id: id().meta({ description: 'The id of the job.', example: EXAMPLE_IDS.printJob }),
    printerId: id().meta({ description: 'The printer that it is for.', example: EXAMPLE_IDS.printer }),
    computerId: id().meta({ description: 'The computer of that printer.', example: EXAMPLE_IDS.computer }),
    title: z.string().meta({ description: 'Its title, as it was sent.', example: 'Invoice 1042' }),
    contentType: z.enum(CONTENT_TYPES).meta({
      description: 'What the document is, and how it was sent. A reprint has that of the first job.',
      example: 'pdf_base64',
    }),
    source: z.string().meta({ description: 'The system that made the job, as it called itself.', example: 'shop' }),
    qty: z.int().meta({
      description: 'How often the whole job is printed. Sheets are `qty` times the option `copies`.',
      example: 1,
    }),
    options: PRINT_OPTIONS.meta({
      description:
        'The options that were asked for, filled from the defaults of the printer. What the printer could not do is named in `stateMessage`.',
    }),
    expireAfter: z.int().meta({ description: 'For how many seconds the job may wait for its agent.', example: 86_400 }),
    expiresAt: timestamp().meta({
      description: 'When the job expires unless the agent has received it.',
      example: '2026-03-03T09:30:00.125Z',
    }),
    fileSize: z.int().nullable().meta({
      description: 'Bytes of the stored document. Null until a document at a URL was fetched.',
      example: 15,
    }),
    fileSha256: z.string().nullable().meta({
      description: 'SHA-256 of the stored document, in hex. Null until a document at a URL was fetched.',
      example: '7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906',
    }),
    mode: mode('The mode of the key that made it.'),
    state: JOB_STATE,
    stateMessage: z.string().nullable().meta({
      description:
        'Why the job is in `error`, or which options were dropped, for people. Null when there is nothing to say.',
      example: null,
    }),
    stateReasons: z.array(z.string()).meta({
      description: 'The same for programs: keywords such as `unconfirmed` or `option-ignored`. New ones may come.',
      example: [],
    }),
    createdAt: timestamp().meta({ description: 'When the job was accepted.', example: CREATED_AT }),
    sentAt: reached('was sent to the agent'),
    receivedAt: reached('was received by the agent'),
    printingAt: reached('was taken by the spooler'),
    finishedAt: reached('came into a final state'),
  })
  .meta({
    id: 'PrintJob',
    description: 'A document on its way to one printer. Content, URL and credentials are never part of it.',
  })

export const JOB_PAGE = createPageSchema(JOB, 'PrintJobPage', 'print jobs')

export type JobJson = z.infer<typeof JOB>

export const JOB_EVENT = z
  .object({
    id: z.string().meta({ description: 'The id of the event.', example: EXAMPLE_IDS.event }),
    state: JOB_STATE,
    message: z.string().nullable().meta({
      description: 'An explanation for people, such as `resend 1/3` or the cause of a failure.',
      example: null,
    }),
    actor: z.enum(['api', 'agent', 'system', 'user']).meta({
      description: 'Who caused it: a key, the agent, the service itself, or a user of the dashboard.',
      example: 'api',
    }),
    createdAt: timestamp().meta({ description: 'When it happened.', example: CREATED_AT }),
  })
  .meta({ id: 'PrintJobEvent', description: 'One step in the life of a job.' })

export type JobEventJson = z.infer<typeof JOB_EVENT>

export const JOB_EVENT_LIST = z
  .object({ data: z.array(JOB_EVENT).meta({ description: 'Every event of the job, the oldest first.' }) })
  .meta({ id: 'PrintJobEventList', description: 'All events of a job. This list has no pages.' })
