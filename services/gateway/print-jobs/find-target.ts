/** Finds what a creation names: a printer or a destination. */
import type { Destination } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../required.ts'
import { findPrinter } from './find-printer.ts'
import type { PrintJobRequest } from './upload/print-job-request.ts'

export interface Target {
  /** The planned one of a destination: the printer that would get the job now, or the first one. */
  printerId: string
  destination: Destination | undefined
  /** The field that names it, for errors. */
  param: 'printerId' | 'printer' | 'destination'
}

/**
 * @throws ApiError `not_found`, `destination_disabled`; `invalid_request` with the candidates if several printers have
 *   the name.
 */
export async function findTarget(
  { devices }: Pick<Gateway, 'devices'>,
  tenant: Tenant,
  { printerId, printer, destination: text }: Pick<PrintJobRequest, 'printerId' | 'printer' | 'destination'>,
): Promise<Target> {
  if (text === undefined) {
    const param = printer === undefined ? 'printerId' : 'printer'
    return { printerId: await findPrinter({ devices }, tenant, { printerId, printer }), destination: undefined, param }
  }
  const param = 'destination'
  const destination = required((await devices.resolveDestination({ ...tenant, text })).destination)
  if (!destination.enabled)
    throw new ApiError('destination_disabled', 'This destination is disabled. Enable it, or choose another one.', {
      param,
    })
  return { printerId: planPrinter(destination), destination, param }
}

function planPrinter({ printers, name }: Destination): string {
  const existing = printers.filter(({ reason }) => reason !== 'printer-removed')
  const planned = existing.find(({ hasTurn }) => hasTurn) ?? existing[0]
  if (planned) return planned.printerId
  throw new ApiError(
    'not_found',
    `None of the printers of destination ${name} exists any more. Change its \`printers\`, or choose another one.`,
    { param: 'destination' },
  )
}
