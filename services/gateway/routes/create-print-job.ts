/** `POST /v1/printjobs`. Source: specification, "Print jobs". */

import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { v7 as uuidv7 } from 'uuid'
import { type RouteStep, tenantOf } from '../context.ts'
import { createCreations } from '../creations.ts'
import type { Gateway } from '../gateway.ts'
import { judgeOptions } from '../options/judge-options.ts'
import type { Printers } from '../printers.ts'
import { createPrintsLimitLookUp } from '../prints-limit.ts'
import { chooseDocument } from '../upload/choose-document.ts'
import { isRaw, parsePrintJob } from '../upload/print-job-request.ts'
import { receivePrintJob } from '../upload/receive-print-job.ts'

/**
 * Takes in the document while it comes, and only then judges the request: first its fields, then the printer, then the document. A
 * document that is in the file store leaves it again when no job has it: when the request is refused or replayed, and also when it is
 * not known whether jobs accepted the job, since the caller gets an error and sends the job again. (With an `Idempotency-Key` the
 * repeated request finds the job, which keeps its document.)
 */
export function createPrintJob(gateway: Gateway, printers: Printers): RouteStep {
  const { clock, fileStore, log, inlineDocumentBytes } = gateway
  const createJob = createCreations(gateway)
  const findPrintsLimit = createPrintsLimitLookUp(gateway, () => gateway.clock.monotonicMs())
  return async (ctx) => {
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
      const tenant = tenantOf(ctx)
      const [printer, printsLimit] = await Promise.all([
        printers.forJob(tenant, request.printerId),
        findPrintsLimit(tenant),
      ])
      const { options, effectiveOptions, warning } = judgeOptions(request.options, printer, isRaw(request.document))
      const document = await chooseDocument(gateway, request, jobId, received)
      if (idempotency) idempotency.isAsked = true
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
      ctx.status = 201
      ctx.body = printJobToJson(job)
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500
      if (!idempotency?.isAsked || isRefused) await discard()
      throw error
    }
  }
}
