/** `POST /v1/printjobs`. Source: specification, "Print jobs". */
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { printJobToJson } from '../json/print-job-to-json.ts'
import { required } from '../json/required.ts'
import { createPrintsLimitLookUp } from '../prints-limit.ts'
import { remember } from '../remember.ts'
import { parsePrintJob } from '../upload/print-job-request.ts'
import { receivePrintJob } from '../upload/receive-print-job.ts'

/**
 * Stores the document while it comes in, and only then judges the request: first its fields, then the printer, then the
 * document. Whatever fails takes the document out of the store again, also when it is not known whether jobs accepted the job:
 * the caller hears of a failure and will send it anew, so the first one must not be printed as well.
 */
export function createPrintJob(gateway: Gateway): RouteStep {
  const { jobs, devices, fileStore, log } = gateway
  const findPrinter = createPrinterLookUp(devices)
  const findPrintsLimit = createPrintsLimitLookUp(gateway)
  return async (ctx) => {
    const { storageKey, fields, checkedDocument } = await receivePrintJob(ctx, fileStore)
    try {
      const request = parsePrintJob(fields())
      const tenant = tenantOf(ctx)
      const [printer, printsLimit] = await Promise.all([
        findPrinter(tenant, request.printerId),
        findPrintsLimit(tenant),
      ])
      const { sizeBytes, sha256 } = checkedDocument(request.contentType)
      const { job } = await jobs.createJob({
        jobId: uuidv7(),
        ...tenant,
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
        printsLimit,
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

/** Labels come in bursts. A printer that was disabled a moment ago gets the job, and holds it (docs/decisions.md). */
const REMEMBER_PRINTER_MS = 1_000
/** About 5 MB. */
const REMEMBER_PRINTERS_MAX = 10_000

function createPrinterLookUp(devices: Gateway['devices']) {
  const recall = remember<{ computerId: string; mode: string }>({
    rememberMs: REMEMBER_PRINTER_MS,
    entriesMax: REMEMBER_PRINTERS_MAX,
  })

  /** Only one that takes jobs is remembered. @throws ApiError `not_found`, `mode_mismatch` or `printer_disabled`. */
  return async ({ organizationId, mode }: { organizationId: string; mode: string }, printerId: string) => {
    return await recall(`${organizationId} ${mode} ${printerId}`, async () => {
      const found = await devices.resolvePrinter({ organizationId, printerId })
      if (found.mode !== mode)
        throw new ApiError(
          'mode_mismatch',
          `This printer takes jobs from ${found.mode} keys only; this is a ${mode} key.`,
        )
      if (!found.enabled)
        throw new ApiError('printer_disabled', 'This printer is disabled. Enable it, or choose another one.')
      return found
    })
  }
}
