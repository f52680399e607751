import type { Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { resolveOptions } from './options/resolve-options.ts'
import { isRaw, type PrintJobRequest } from './upload/print-job-request.ts'

/**
 * Decides what the printer makes of a request. Used by creations and by `POST /v1/printjobs/validate`.
 *
 * @throws ApiError `not_found`, `mode_mismatch` or `printer_disabled`.
 */
export async function preparePrintJob(
  { printers }: Pick<Gateway, 'printers'>,
  tenant: Tenant,
  { printerId, options, document }: PrintJobRequest,
) {
  const printer = await printers.forJob(tenant, printerId)
  return { printer, ...resolveOptions(options, printer, isRaw(document)) }
}
