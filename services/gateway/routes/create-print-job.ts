/** `POST /v1/printjobs`. Source: specification, "Print jobs". */

import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { v7 as uuidv7 } from 'uuid'
import { type RouteStep, tenantOf } from '../context.ts'
import { createCreations } from '../creations.ts'
import type { Gateway } from '../gateway.ts'
import { completionOf } from '../idempotency/claim.ts'
import { required } from '../json/required.ts'
import { judgeOptions } from '../options/judge-options.ts'
import type { Printers } from '../printers.ts'
import { createPrintsLimitLookUp } from '../prints-limit.ts'
import { chooseDocument } from '../upload/choose-document.ts'
import { isRaw, parsePrintJob } from '../upload/print-job-request.ts'
import { receivePrintJob } from '../upload/receive-print-job.ts'

/**
 * Stores the document while it comes in, and only then judges the request: first its fields, then the printer, then the
 * document. Whatever fails takes the document out of the store again, also when it is not known whether jobs accepted the job:
 * the caller hears of a failure and will send it anew, so the first one must not be printed as well. (With an `Idempotency-Key` it
 * is known, or will be: see `idempotency/claim.ts`.)
 */
export function createPrintJob(gateway: Gateway, printers: Printers): RouteStep {
  const { clock, fileStore, log } = gateway
  const createJob = createCreations(gateway)
  const findPrintsLimit = createPrintsLimitLookUp(gateway, () => gateway.clock.monotonicMs())
  return async (ctx) => {
    const { claim } = ctx.state
    // Lists find the time of a creation in this id.
    const jobId = uuidv7({ msecs: clock.now().getTime() })
    const received = await receivePrintJob(jobId, ctx, fileStore, claim?.bodyHash.content)
    try {
      const body = received.fields()
      const request = parsePrintJob(body)
      const tenant = tenantOf(ctx)
      const [printer, printsLimit] = await Promise.all([
        printers.forJob(tenant, request.printerId),
        findPrintsLimit(tenant),
      ])
      const { options, effectiveOptions, warning } = judgeOptions(request.options, printer, isRaw(request.document))
      const document = await chooseDocument(gateway, request, received)
      const { job } = await createJob({
        jobId: received.jobId,
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
        idempotency: claim && completionOf(claim, body),
      })
      ctx.status = 201
      ctx.body = printJobToJson(required(job))
    } catch (error) {
      const discard = () =>
        fileStore.delete(received.jobId).catch((err: unknown) => {
          log.error(
            { err, storage_key: received.jobId },
            'a document without a job stays in the store until it is as old as one is kept',
          )
        })
      // With a key it can be known whether the job was made after all: the claim is settled first.
      if (claim) claim.discard = discard
      else await discard()
      throw error
    }
  }
}
