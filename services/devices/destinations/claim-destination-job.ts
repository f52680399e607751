import { timestampOrNone } from '@platen/proto/timestamps.ts'
import { orMissing } from '@platen/runtime/rpc/or-missing.ts'
import type { JobToPush } from '../agents/claims.ts'
import type { Devices } from '../devices.ts'
import { resolvePrinter } from '../rpc/resolve-printer.ts'
import type { DestinationTurn } from './destination-turns.ts'

interface Stream {
  organizationId: string
  computerId: string
  epoch: bigint
}

/**
 * Takes the next job of the destinations for a printer of the stream. Jobs resolve the options by the facts of the
 * printer.
 *
 * @returns undefined if none waits, or the printer must not take one or is not available.
 * @throws ApiError `service_unavailable`. A job may be claimed nevertheless. The next full claim returns it.
 */
export async function claimDestinationJob(
  devices: Pick<Devices, 'pool' | 'jobs'>,
  { organizationId, computerId, epoch }: Stream,
  printerId: string,
  turns: DestinationTurn[],
): Promise<JobToPush | undefined> {
  const printer = await orMissing(resolvePrinter(devices, { organizationId, printerId }))
  // It may have stopped since it was given the turn, which waits behind the other claims of its stream.
  if (!printer || printer.reason !== null) return undefined
  const { defaultOptions, customPapers, capabilities, os } = printer
  const { job } = await devices.jobs.claimDestinationJob({
    organizationId,
    computerId,
    epoch,
    printerId,
    printer: { defaultOptions, customPapers, capabilities, os },
    turns: turns.map(({ destinationId, revision, passed }) => ({
      destinationId,
      revision,
      passedPrinters: passed.map(({ reason, since, ...printer }) => ({
        ...printer,
        reason: reason ?? '',
        since: timestampOrNone(since),
      })),
    })),
  })
  if (!job) return undefined
  return { job, printerOsName: printer.osName }
}
