/** `POST /v1/printjobs`. Source: specification, "Print jobs". */
import { v7 as uuidv7 } from 'uuid'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { printJobToJson } from '../json/print-job-to-json.ts'
import { required } from '../json/required.ts'
import { judgeOptions } from '../options/judge-options.ts'
import type { Printers } from '../printers.ts'
import { parsePrintJob } from '../upload/print-job-request.ts'
import { receivePrintJob } from '../upload/receive-print-job.ts'

/**
 * Stores the document while it comes in, and only then judges the request: first its fields, then the printer, then the
 * document. Whatever fails takes the document out of the store again, also when it is not known whether jobs accepted the job:
 * the caller hears of a failure and will send it anew, so the first one must not be printed as well.
 */
export function createPrintJob({ jobs, fileStore, log }: Gateway, printers: Printers): RouteStep {
  return async (ctx) => {
    const { storageKey, fields, checkedDocument } = await receivePrintJob(ctx, fileStore)
    try {
      const request = parsePrintJob(fields())
      const printer = await printers.forJob(tenantOf(ctx), request.printerId)
      const isRaw = request.contentType.startsWith('raw_')
      const { options, effectiveOptions, warning } = judgeOptions(request.options, printer, isRaw)
      const { sizeBytes, sha256 } = checkedDocument(request.contentType)
      const { job } = await jobs.createJob({
        jobId: uuidv7(),
        ...tenantOf(ctx),
        printerId: request.printerId,
        computerId: printer.computerId,
        title: request.title,
        contentType: request.contentType,
        source: request.source,
        qty: request.qty,
        options,
        effectiveOptions,
        optionWarning: warning,
        expireAfterSeconds: request.expireAfter,
        storageKey,
        fileSizeBytes: BigInt(sizeBytes),
        fileSha256: sha256,
        actor: 'api',
      })
      ctx.status = 201
      ctx.body = printJobToJson(required(job))
    } catch (error) {
      await fileStore.delete(storageKey).catch((err: unknown) => {
        log.error({ err, storage_key: storageKey }, 'a document without a job stays in the store')
      })
      throw error
    }
  }
}
