import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { BATCH_LIMITS } from '@platen/resources/limits.ts'
import { BATCH, batchToJson } from '@platen/resources/print-job-schema.ts'
import { oncePerKey } from '../../idempotency/once-per-key.ts'
import { operation } from '../../operation/operation.ts'
import { BATCH as BATCH_REQUEST } from '../../print-jobs/upload/batch-request.ts'
import { requireJson } from '../../request/json-body.ts'
import { createPrintJob } from './create-print-job.ts'

const label = (number: number) => ({
  printerId: EXAMPLE_IDS.printer,
  title: `Label ${number} of order 4711`,
  contentType: 'raw_base64',
  content: Buffer.from(`^XA^FO50,50^A0N,40^FD${number}^FS^XZ\n`).toString('base64'),
})

export const createPrintJobBatch = operation({
  operationId: 'createPrintJobBatch',
  method: 'post',
  path: '/v1/printjobs/batches',
  scope: 'print',
  tag: 'Print jobs',
  summary: 'Create a batch of print jobs',
  description: `Accepts up to ${BATCH_LIMITS.jobsMax} jobs together, all or none: if one is refused, no job is created, and \`param\` of the error names it, for example \`jobs[3].printerId\`.

The jobs of a batch at one printer are printed in the order of the array, without other jobs between them. A job that fails, expires or is cancelled does not stop the others.

Each job counts in limits and usage, and has events and webhooks, like a job that was created alone.`,
  isIdempotent: true,
  body: BATCH_REQUEST,
  bodyIsStreamed: true,
  bodyExamples: { 'Two labels': { jobs: [label(1), label(2)] } },
  // Bodies have a limit of their own. The work begins when the body has arrived: `accept-batch.ts`.
  units: 0,
  answer: {
    status: 201,
    description: 'The batch. For a replay: the present state of its jobs.',
    schema: BATCH,
  },
  errors: createPrintJob.errors ?? [],
  before: (gateway) => [requireJson, oncePerKey(gateway)],
  handle: (gateway) => {
    return async ({ ctx, tenant }) => {
      const { jobs, replayed } = await gateway.acceptBatch(ctx, tenant)
      if (replayed) ctx.set('Idempotent-Replayed', 'true')
      return batchToJson(jobs)
    }
  },
})
