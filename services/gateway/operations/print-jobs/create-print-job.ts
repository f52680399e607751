import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { BODY_MAX_BYTES, UPLOADS_AT_ONCE } from '@platen/resources/limits.ts'
import { JOB } from '@platen/resources/print-job-schema.ts'
import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { v7 as uuidv7 } from 'uuid'
import { getActor } from '../../caller.ts'
import { getCaller } from '../../context.ts'
import { createCreations } from '../../creations.ts'
import { oncePerKey } from '../../idempotency/once-per-key.ts'
import { operation } from '../../operation.ts'
import { resolveOptions } from '../../options/resolve-options.ts'
import { createPrintsLimitLookUp } from '../../prints-limit.ts'
import { createConcurrencyLimit } from '../../rate-limit/concurrency-limit.ts'
import { requireJsonOrForm } from '../../request/json-body.ts'
import { chooseDocument } from '../../upload/choose-document.ts'
import { isRaw, PRINT_JOB, PRINT_JOB_FORM, parsePrintJob } from '../../upload/print-job-request.ts'
import { receivePrintJob } from '../../upload/receive-print-job.ts'

const example = {
  printerId: EXAMPLE_IDS.printer,
  title: 'Invoice 1042',
  source: 'shop',
  options: { duplex: 'long-edge' },
}

/**
 * Receives the whole document before it validates the request: first its fields, then the printer, then the document. A stored document
 * that no job has is deleted: if the request is refused or replayed, and if the result of the call to jobs is unknown, because the caller
 * gets an error and repeats the request. (With an `Idempotency-Key` the repeated request finds the job, so the document is kept.)
 */
export const createPrintJob = operation({
  operationId: 'createPrintJob',
  method: 'post',
  path: '/v1/printjobs',
  scope: 'print',
  tag: 'Print jobs',
  summary: 'Create a print job',
  description: `Accepts a document for one printer. A \`201\` is durable: the job reaches exactly one final state, \`done\`, \`error\`, \`cancelled\` or \`expired\`.

The body is JSON, or a form (\`multipart/form-data\`) with the document as the part \`file\`, which needs no base64: \`curl -F file=@invoice.pdf …\`. The same job in both forms is the same job.

A job for an offline printer is accepted and waits. The jobs of a printer are printed in the order of their acceptance.

Send an \`Idempotency-Key\` with every creation, so that a request whose response was lost can be repeated and prints once.

An accepted job can fail later, for example because its URL cannot be fetched. Its \`state\` becomes \`error\` and \`stateMessage\` contains the reason. It is not retried; a reprint is a new job with \`reprintOf\`.`,
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
    'mode_mismatch',
    'idempotency_key_reused',
    'test_mode_daily_cap',
    'storage_unavailable',
  ],
  before: (gateway) => [requireJsonOrForm, oncePerKey(gateway)],
  handle: (gateway) => {
    const { clock, fileStore, log, inlineDocumentBytes, printers } = gateway
    const createJob = createCreations(gateway)
    const limitUploads = createConcurrencyLimit('uploads', UPLOADS_AT_ONCE)
    const findPrintsLimit = createPrintsLimitLookUp(gateway, () => gateway.clock.monotonicMs())
    return async ({ ctx, tenant }) => {
      // Also before small documents, because the database is usually on the same disk.
      await fileStore.requireSpace()
      const { idempotency } = ctx.state
      const { actor, by: createdBy } = getActor(getCaller(ctx))
      // Lists read the time of the creation from this id.
      const jobId = uuidv7({ msecs: clock.now().getTime() })
      const receive = () =>
        receivePrintJob(jobId, ctx, { fileStore, inlineDocumentBytes }, idempotency?.bodyHash.content)
      // A smaller body usually arrives at once, so that a burst of small jobs is limited by the request rate only.
      const isUpload = Number(ctx.req.headers['content-length'] ?? Number.POSITIVE_INFINITY) > BODY_MAX_BYTES
      const received = await (isUpload ? limitUploads(getCaller(ctx), receive) : receive())
      const discard = async () => {
        if (!received.isStored) return
        await fileStore.delete(jobId).catch((err: unknown) => {
          log.error(
            { err, storage_key: jobId },
            'failed to delete a document without a job, it stays until its retention time ends',
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
          discardsDocument: !(request.retain ?? !getCaller(ctx).organization.discardsDocuments),
          ...document,
          printsLimit,
          actor,
          createdBy,
          idempotency: idempotency && { key: idempotency.key, bodyHashes: idempotency.bodyHash.values() },
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
