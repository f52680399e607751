import type { Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { findPrinter } from './find-printer.ts'
import { resolveOptions } from './options/resolve-options.ts'
import { isRaw, type PrintJobRequest } from './upload/print-job-request.ts'

/**
 * Decides what the printer makes of a request. Used by creations and by `POST /v1/printjobs/validate`.
 *
 * @throws ApiError `not_found`, `mode_mismatch` or `printer_disabled`; `invalid_request` if several printers have the name.
 */
export async function preparePrintJob(
  { printers, devices }: Pick<Gateway, 'printers' | 'devices'>,
  tenant: Tenant,
  { options, document, ...target }: PrintJobRequest,
) {
  const printerId = await findPrinter({ devices }, tenant, target)
  const param = target.printer === undefined ? 'printerId' : 'printer'
  const printer = await printers.forJob(tenant, printerId, param)
  return { printerId, printer, ...resolveOptions(options, printer, isRaw(document)) }
}
