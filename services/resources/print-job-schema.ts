/** Reference: docs/reference/print-jobs.md#the-job-object and docs/reference/print-jobs.md#job-events. */
import { z } from 'zod'
import { id, mode, timestamp } from './fields.ts'
import { PRINT_OPTIONS } from './print-options.ts'

export const JOB_STATE = z
  .enum(['queued', 'sent', 'received', 'printing', 'done', 'error', 'cancelled', 'expired'])
  .describe(
    'Where the job is. `queued`: it waits for its computer. `sent`: it is on its way to the agent. `received`: the agent has the document. `printing`: the spooler has it. Final are `done` (the spooler finished), `error`, `cancelled` and `expired`.',
  )

const reached = (what: string) => timestamp().nullable().describe(`When it ${what}. Null until then.`)

export const JOB = z
  .object({
    id: id().describe('The id of the job.'),
    printerId: id().describe('The printer that it is for.'),
    computerId: id().describe('The computer of that printer.'),
    title: z.string().describe('Its title, as it was sent.'),
    contentType: z
      .enum(['pdf_uri', 'pdf_base64', 'raw_uri', 'raw_base64'])
      .describe('What the document is, and how it was sent. A reprint has that of the first job.'),
    source: z.string().describe('The system that made the job, as it called itself.'),
    qty: z.int().describe('How often the whole job is printed. Sheets are `qty` times the option `copies`.'),
    options: PRINT_OPTIONS.describe(
      'The options that were asked for, filled from the defaults of the printer. What the printer could not do is named in `stateMessage`.',
    ),
    expireAfter: z.int().describe('For how many seconds the job may wait for its agent.'),
    expiresAt: timestamp().describe('When the job expires unless the agent has received it.'),
    fileSize: z.int().nullable().describe('Bytes of the stored document. Null until a document at a URL was fetched.'),
    fileSha256: z
      .string()
      .nullable()
      .describe('SHA-256 of the stored document, in hex. Null until a document at a URL was fetched.'),
    mode: mode().describe('The mode of the key that made it.'),
    state: JOB_STATE,
    stateMessage: z
      .string()
      .nullable()
      .describe(
        'Why the job is in `error`, or which options were dropped, for people. Null when there is nothing to say.',
      ),
    stateReasons: z
      .array(z.string())
      .describe('The same for programs: keywords such as `unconfirmed` or `option-ignored`. New ones may come.'),
    createdAt: timestamp().describe('When the job was accepted.'),
    sentAt: reached('was sent to the agent'),
    receivedAt: reached('was received by the agent'),
    printingAt: reached('was taken by the spooler'),
    finishedAt: reached('came into a final state'),
  })
  .describe('A document on its way to one printer. Content, URL and credentials are never part of it.')

export type JobJson = z.infer<typeof JOB>

export const JOB_EVENT = z
  .object({
    id: z.string().describe('The id of the event.'),
    state: JOB_STATE,
    message: z.string().nullable().describe('What is to be said about it, for people: `resend 1/3`, or why it failed.'),
    actor: z
      .enum(['api', 'agent', 'system', 'user'])
      .describe('Who caused it: a key, the agent, the service itself, or a user of the dashboard.'),
    createdAt: timestamp().describe('When it happened.'),
  })
  .describe('One step in the life of a job.')

export type JobEventJson = z.infer<typeof JOB_EVENT>

export const JOB_EVENT_LIST = z
  .object({ data: z.array(JOB_EVENT).describe('Every event of the job, the oldest first.') })
  .describe('All events of a job. This list has no pages.')
