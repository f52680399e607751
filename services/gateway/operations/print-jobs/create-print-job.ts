import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { JOB, printJobToJson } from '@platen/resources/print-job-schema.ts'
import { oncePerKey } from '../../idempotency/once-per-key.ts'
import { operation } from '../../operation/operation.ts'
import { PRINT_JOB, PRINT_JOB_FORM } from '../../print-jobs/upload/print-job-request.ts'
import { requireJsonOrForm } from '../../request/json-body.ts'

const example = {
  printerId: EXAMPLE_IDS.printer,
  title: 'Invoice 1042',
  source: 'shop',
  options: { duplex: 'long-edge' },
}

export const createPrintJob = operation({
  operationId: 'createPrintJob',
  method: 'post',
  path: '/v1/printjobs',
  scope: 'print',
  tag: 'Print jobs',
  summary: 'Create a print job',
  description: `Accepts a document for one printer. A \`201\` is durable: the job reaches exactly one final state, \`done\`, \`error\`, \`cancelled\` or \`expired\`.

The document is a PDF, an image (PNG, JPEG, GIF, TIFF or WebP), which is converted to PDF, or raw data in the language of the printer.

The body is JSON, or a form (\`multipart/form-data\`) with the document as the part \`file\`, which needs no base64: \`curl -F file=@invoice.pdf …\`. The same job in both forms is the same job.

A job for an offline printer is accepted and waits. The jobs of a printer are printed in the order of their acceptance.

Send an \`Idempotency-Key\` with every creation, so that a request whose response was lost can be repeated and prints once.

An accepted job can fail later, for example because its URL cannot be fetched or its image is damaged. Its \`state\` becomes \`error\` and \`stateMessage\` contains the reason. It is not retried; a reprint is a new job with \`reprintOf\`.`,
  isIdempotent: true,
  body: PRINT_JOB,
  form: PRINT_JOB_FORM,
  bodyIsStreamed: true,
  bodyExamples: {
    'A document in the request': {
      ...example,
      contentType: 'pdf_base64',
      content: Buffer.from('%PDF-1.7\n%%EOF\n').toString('base64'),
    },
    'A document at a URL': {
      ...example,
      contentType: 'pdf_uri',
      content: 'https://files.example.com/invoices/1042.pdf',
      authentication: { type: 'BasicAuth', credentials: { user: 'printing', pass: 'correct horse' } },
    },
    'A reprint': { ...example, reprintOf: EXAMPLE_IDS.printJob },
  },
  // Bodies have a limit of their own, and creations are collected in turn: `creations.ts`.
  units: 0,
  answer: {
    status: 201,
    description: 'The job, in `queued`. For a replay: the present state of the first job.',
    schema: JOB,
  },
  errors: [
    'quota_exceeded',
    'not_found',
    'idempotency_in_progress',
    'file_expired',
    'invalid_content',
    'invalid_content_url',
    'printer_disabled',
    'destination_disabled',
    'mode_mismatch',
    'idempotency_key_reused',
    'test_mode_daily_cap',
    'storage_unavailable',
  ],
  before: (gateway) => [requireJsonOrForm, oncePerKey(gateway)],
  handle: (gateway) => {
    return async ({ ctx, tenant }) => {
      const { job, replayed } = await gateway.acceptPrintJob(ctx, tenant)
      if (replayed) ctx.set('Idempotent-Replayed', 'true')
      return printJobToJson(job)
    }
  },
})
