import { PRINT_JOB_LIMITS } from '@platen/resources/limits.ts'
import { parseNumber } from '@platen/resources/parse-number.ts'
import { resolveOptions } from '@platen/resources/resolve-options.ts'
import type { Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { resolveIds } from '../operation/resolve-ids.ts'
import { checkNotBefore } from './check-not-before.ts'
import type { Target } from './find-target.ts'
import type { JobPrinter } from './printers.ts'
import { isRaw, type PrintJobRequest } from './upload/print-job-request.ts'

/**
 * Decides what the printer makes of a request. Used by creations and by `POST /v1/printjobs/validate`.
 *
 * @param target by `findTarget`. The printer of a destination can be disabled.
 * @returns also the document, with the id of the job that is printed again.
 * @throws ApiError `invalid_request` if `notBefore` is too far ahead; `not_found`, `mode_mismatch` or
 *   `printer_disabled`.
 */
export async function preparePrintJob(
  { printers, devices, jobs, clock }: Pick<Gateway, 'printers' | 'devices' | 'jobs' | 'clock'>,
  tenant: Tenant,
  {
    options,
    document,
    notBefore,
    expireAfter,
  }: Pick<PrintJobRequest, 'options' | 'document' | 'notBefore' | 'expireAfter'>,
  target: Target,
) {
  const { printerId, destination, param } = target
  checkNotBefore(clock, notBefore)
  const printer = await printers.forJob(tenant, printerId, { param, canBeDisabled: destination !== undefined })
  return {
    printer,
    expireAfter: expireAfter ?? findDefaultExpiry(target, printer),
    document: await findOriginal({ jobs, devices }, tenant, document),
    ...resolveOptions(options, printer, isRaw(document)),
  }
}

/** A destination decides for its printers, because any of them can take the job. */
const findDefaultExpiry = ({ destination }: Target, printer: JobPrinter): number =>
  (destination ? destination.expireAfter : printer.defaultExpireAfter) ?? PRINT_JOB_LIMITS.expireAfterSeconds.default

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
