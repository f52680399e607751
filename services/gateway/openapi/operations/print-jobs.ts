/** Source: specification, "Print jobs"; decisions, "Jobs". */
import type { Descriptions } from '../description.ts'
import { PAGE } from '../parameters.ts'

export const PRINT_JOB_OPERATIONS: Descriptions = {
  createPrintJob: {
    tag: 'Print jobs',
    summary: 'Create a print job',
    description: `Accepts a document for one printer. A \`201\` is durable: from then on the job reaches exactly one final state, \`done\`, \`error\`, \`cancelled\` or \`expired\`.

A job for a printer that is not online is accepted and waits. Jobs of one printer are printed in the order in which they were accepted.

Send an \`Idempotency-Key\` with every creation: a request whose answer was lost can then be sent again and prints once.

An accepted job can still fail later, also because its URL cannot be fetched: its \`state\` becomes \`error\` and \`stateMessage\` says why. It is not tried again by itself; a reprint is a new job, with \`reprintOf\`.`,
    idempotent: true,
    body: 'NewPrintJob',
    success: {
      status: 201,
      description: 'The job, in `queued`. On a replay: the first job as it is now.',
      schema: 'PrintJob',
    },
    errors: [
      'quota_exceeded',
      'not_found',
      'idempotency_in_progress',
      'file_expired',
      'invalid_content',
      'invalid_content_url',
      'printer_disabled',
      'mode_mismatch',
      'idempotency_key_reused',
      'test_mode_daily_cap',
      'storage_unavailable',
    ],
  },
  listPrintJobs: {
    tag: 'Print jobs',
    summary: 'List print jobs',
    description:
      'All jobs of the organization and mode of the key, the newest first unless `dir` says otherwise. Filters narrow the list; several of them must all hold.',
    query: [...PAGE, 'state', 'printerId', 'computerId', 'source', 'createdAfter', 'createdBefore'],
    success: { status: 200, description: 'A page of jobs.', schema: 'PrintJobPage' },
  },
  getPrintJob: {
    tag: 'Print jobs',
    summary: 'Read a print job',
    description: 'The job as it is now. Ask once a second or less until `state` is final.',
    success: { status: 200, description: 'The job.', schema: 'PrintJob' },
  },
  cancelPrintJob: {
    tag: 'Print jobs',
    summary: 'Cancel a print job',
    description:
      'Stops a job that its agent has not yet received: one in `queued` or `sent`. A job that is further, over, or cancelled already answers `409 not_cancellable` and stays as it is.',
    success: { status: 200, description: 'The job, in `cancelled`.', schema: 'PrintJob' },
    errors: ['forbidden', 'not_cancellable'],
  },
  listPrintJobEvents: {
    tag: 'Print jobs',
    summary: 'List the events of a print job',
    description:
      'Every state that the job has been in, and who caused the change, the oldest first. The list has no pages.',
    success: { status: 200, description: 'All events of the job.', schema: 'PrintJobEventList' },
  },
}
