import { PRINT_JOB_LIMITS } from '@platen/resources/limits.ts'
import { parseNumber } from '@platen/resources/parse-number.ts'
import type { Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { resolveIds } from '../operation/resolve-ids.ts'
import { checkNotBefore } from './check-not-before.ts'
import { findPrinter } from './find-printer.ts'
import { resolveOptions } from './options/resolve-options.ts'
import { isRaw, type PrintJobRequest } from './upload/print-job-request.ts'

/**
 * Decides what the printer makes of a request. Used by creations and by `POST /v1/printjobs/validate`.
 *
 * @returns also the document, with the id of the job that is printed again.
 * @throws ApiError `invalid_request` if `notBefore` is too far ahead or several printers have the name; `not_found`, `mode_mismatch` or
 *   `printer_disabled`.
 */
export async function preparePrintJob(
  { printers, devices, jobs, clock }: Pick<Gateway, 'printers' | 'devices' | 'jobs' | 'clock'>,
  tenant: Tenant,
  { options, document, notBefore, expireAfter, ...target }: PrintJobRequest,
) {
  checkNotBefore(clock, notBefore)
  const printerId = await findPrinter({ devices }, tenant, target)
  const param = target.printer === undefined ? 'printerId' : 'printer'
  const printer = await printers.forJob(tenant, printerId, param)
  return {
    printerId,
    printer,
    expireAfter: expireAfter ?? printer.defaultExpireAfter ?? PRINT_JOB_LIMITS.expireAfterSeconds.default,
    document: await findOriginal({ jobs, devices }, tenant, document),
    ...resolveOptions(options, printer, isRaw(document)),
  }
}

async function findOriginal(
  services: Pick<Gateway, 'jobs' | 'devices'>,
  tenant: Tenant,
  document: PrintJobRequest['document'],
): Promise<PrintJobRequest['document']> {
  const number = 'reprintOf' in document ? parseNumber(document.reprintOf) : undefined
  if (number === undefined) return document
  const ids = await resolveIds(services, () => tenant, { reprintOf: 'print job' }, { reprintOf: number })
  return { reprintOf: String(ids.reprintOf) }
}
