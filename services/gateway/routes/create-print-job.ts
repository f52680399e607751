/** `POST /v1/printjobs`. Source: specification, "Print jobs". */
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { printJobToJson } from '../json/print-job-to-json.ts'
import { required } from '../json/required.ts'
import { parsePrintJob } from '../upload/print-job-request.ts'
import { receivePrintJob } from '../upload/receive-print-job.ts'

/**
 * Stores the document while it comes in, and only then judges the request: first its fields, then the printer, then the
 * document. Whatever fails takes the document out of the store again, also when it is not known whether jobs accepted the job:
 * the caller hears of a failure and will send it anew, so the first one must not be printed as well.
 */
export function createPrintJob({ jobs, devices, fileStore, log }: Gateway): RouteStep {
  return async (ctx) => {
    const { storageKey, fields, checkedDocument } = await receivePrintJob(ctx, fileStore)
    try {
      const request = parsePrintJob(fields())
      const printer = await findPrinter(devices, tenantOf(ctx), request.printerId)
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
        options: request.options,
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

/** @throws ApiError `not_found`, `mode_mismatch` or `printer_disabled`. */
async function findPrinter(
  devices: Gateway['devices'],
  { organizationId, mode }: { organizationId: string; mode: string },
  printerId: string,
) {
  const printer = await devices.resolvePrinter({ organizationId, printerId })
  if (printer.mode !== mode)
    throw new ApiError(
      'mode_mismatch',
      `This printer takes jobs from ${printer.mode} keys only; this is a ${mode} key.`,
    )
  if (!printer.enabled)
    throw new ApiError('printer_disabled', 'This printer is disabled. Enable it, or choose another one.')
  return printer
}
