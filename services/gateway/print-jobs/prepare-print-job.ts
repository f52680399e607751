import type { Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { checkNotBefore } from './check-not-before.ts'
import { findPrinter } from './find-printer.ts'
import { resolveOptions } from './options/resolve-options.ts'
import { isRaw, type PrintJobRequest } from './upload/print-job-request.ts'

/**
 * Decides what the printer makes of a request. Used by creations and by `POST /v1/printjobs/validate`.
 *
 * @throws ApiError `invalid_request` if `notBefore` is too far ahead; `not_found`, `mode_mismatch` or `printer_disabled`; `invalid_request` if several printers have the name.
 */
export async function preparePrintJob(
  { printers, devices, clock }: Pick<Gateway, 'printers' | 'devices' | 'clock'>,
  tenant: Tenant,
  { options, document, notBefore, ...target }: PrintJobRequest,
) {
  checkNotBefore(clock, notBefore)
  const printerId = await findPrinter({ devices }, tenant, target)
  const param = target.printer === undefined ? 'printerId' : 'printer'
  const printer = await printers.forJob(tenant, printerId, param)
  return { printerId, printer, ...resolveOptions(options, printer, isRaw(document)) }
}
