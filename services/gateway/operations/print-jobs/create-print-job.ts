import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { JOB } from '@platen/resources/print-job-schema.ts'
import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { v7 as uuidv7 } from 'uuid'
import { createCreations } from '../../creations.ts'
import { oncePerKey } from '../../idempotency/once-per-key.ts'
import { operation } from '../../operation.ts'
import { resolveOptions } from '../../options/resolve-options.ts'
import { createPrintsLimitLookUp } from '../../prints-limit.ts'
import { requireJsonBody } from '../../request/json-body.ts'
import { chooseDocument } from '../../upload/choose-document.ts'
import { isRaw, PRINT_JOB, parsePrintJob } from '../../upload/print-job-request.ts'
import { receivePrintJob } from '../../upload/receive-print-job.ts'

const example = {
  printerId: EXAMPLE_IDS.printer,
  title: 'Invoice 1042',
  source: 'shop',
  options: { duplex: 'long-edge' },
}

/**
 * Takes in the document while it comes, and only then judges the request: first its fields, then the printer, then the document. A
 * document that is in the file store leaves it again when no job has it: when the request is refused or replayed, and also when it is
 * not known whether jobs accepted the job, since the caller gets an error and sends the job again. (With an `Idempotency-Key` the
 * repeated request finds the job, which keeps its document.)
 */
export const createPrintJob = operation({
  operationId: 'createPrintJob',
  method: 'post',
  path: '/v1/printjobs',
  scope: 'print',
  tag: 'Print jobs',
  summary: 'Create a print job',
  description: `Accepts a document for one printer. A \`201\` is durable: from then on the job reaches exactly one final state, \`done\`, \`error\`, \`cancelled\` or \`expired\`.

A job for a printer that is not online is accepted and waits. Jobs of one printer are printed in the order in which they were accepted.

Send an \`Idempotency-Key\` with every creation: a request whose answer was lost can then be sent again and prints once.

An accepted job can still fail later, also because its URL cannot be fetched: its \`state\` becomes \`error\` and \`stateMessage\` says why. It is not tried again by itself; a reprint is a new job, with \`reprintOf\`.`,
  isIdempotent: true,
  body: PRINT_JOB,
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
  answer: { status: 201, description: 'The job, in `queued`. On a replay: the first job as it is now.', schema: JOB },
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
  before: (gateway) => [requireJsonBody, oncePerKey(gateway)],
  handle: (gateway) => {
    const { clock, fileStore, log, inlineDocumentBytes, printers } = gateway
    const createJob = createCreations(gateway)
    const findPrintsLimit = createPrintsLimitLookUp(gateway, () => gateway.clock.monotonicMs())
    return async ({ ctx, tenant }) => {
      const { idempotency } = ctx.state
      // Lists find the time of a creation in this id.
      const jobId = uuidv7({ msecs: clock.now().getTime() })
      const received = await receivePrintJob(
        jobId,
        ctx,
        { fileStore, inlineDocumentBytes },
        idempotency?.bodyHash.content,
      )
      const discard = async () => {
        if (!received.isStored) return
        await fileStore.delete(jobId).catch((err: unknown) => {
          log.error(
            { err, storage_key: jobId },
            'a document without a job stays in the store until it is as old as one is kept',
          )
        })
      }
      try {
        const body = received.fields()
        idempotency?.bodyHash.end(body)
        const request = parsePrintJob(body)
        const [printer, printsLimit] = await Promise.all([
          printers.forJob(tenant, request.printerId),
          findPrintsLimit(tenant),
        ])
        const { options, effectiveOptions, warning } = resolveOptions(request.options, printer, isRaw(request.document))
        const document = await chooseDocument(gateway, request, jobId, received)
        if (idempotency) idempotency.isSubmitted = true
        const { job, replayed } = await createJob({
          jobId,
          ...tenant,
          printerId: request.printerId,
          computerId: printer.computerId,
          title: request.title,
          source: request.source,
          qty: request.qty,
          options,
          effectiveOptions,
          optionWarning: warning,
          expireAfterSeconds: request.expireAfter,
          ...document,
          printsLimit,
          actor: 'api',
          idempotency: idempotency && { key: idempotency.key, bodyHash: idempotency.bodyHash.value() },
          traceparent: currentTraceparent(),
        })
        if (replayed) {
          ctx.set('Idempotent-Replayed', 'true')
          await discard()
        }
        return printJobToJson(job)
      } catch (error) {
        const isRefused = error instanceof ApiError && error.status < 500
        if (!idempotency?.isSubmitted || isRefused) await discard()
        throw error
      }
    }
  },
})
