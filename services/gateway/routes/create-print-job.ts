/** `POST /v1/printjobs`. Source: specification, "Print jobs". */
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { completionOf } from '../idempotency/claim.ts'
import { printJobToJson } from '../json/print-job-to-json.ts'
import { required } from '../json/required.ts'
import { remember } from '../remember.ts'
import { parsePrintJob } from '../upload/print-job-request.ts'
import { receivePrintJob } from '../upload/receive-print-job.ts'

/**
 * Stores the document while it comes in, and only then judges the request: first its fields, then the printer, then the
 * document. Whatever fails takes the document out of the store again, also when it is not known whether jobs accepted the job:
 * the caller hears of a failure and will send it anew, so the first one must not be printed as well. (With an `Idempotency-Key` it
 * is known, or will be: see `idempotency/claim.ts`.)
 */
export function createPrintJob({ jobs, devices, fileStore, log }: Gateway): RouteStep {
  const findPrinter = createPrinterLookUp(devices)
  return async (ctx) => {
    const { claim } = ctx.state
    const { storageKey, fields, checkedDocument } = await receivePrintJob(ctx, fileStore, claim?.bodyHash.content)
    try {
      const body = fields()
      const request = parsePrintJob(body)
      const printer = await findPrinter(tenantOf(ctx), request.printerId)
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
        idempotency: claim && completionOf(claim, body),
      })
      ctx.status = 201
      ctx.body = printJobToJson(required(job))
    } catch (error) {
      const discard = () =>
        fileStore.delete(storageKey).catch((err: unknown) => {
          log.error({ err, storage_key: storageKey }, 'a document without a job stays in the store')
        })
      // With a key it can be known whether the job was made after all: the claim is settled first.
      if (claim) claim.discard = discard
      else await discard()
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
