import { WAITING_JOBS_SUBJECT, type WaitingJobs } from '@platen/proto/subjects.ts'
import type { Devices } from '../devices.ts'
import { PrinterEntity } from '../entities.ts'

/**
 * Call after the commit of a change of a destination, so that its waiting jobs are given out anew.
 *
 * @param printerIds of before and after the change.
 */
export async function announceDestination(
  devices: Pick<Devices, 'orm' | 'printers' | 'nats'>,
  destination: { id: string; organizationId: string },
  printerIds: string[],
): Promise<void> {
  await announcePrinters(devices, destination, printerIds)
  devices.nats.connection.publish(
    WAITING_JOBS_SUBJECT,
    JSON.stringify([['', '', destination.id]] satisfies WaitingJobs),
  )
}

/** The caches of the computers learn which destinations their printers have. */
export async function announcePrinters(
  devices: Pick<Devices, 'orm' | 'printers'>,
  { organizationId }: { organizationId: string },
  printerIds: string[],
): Promise<void> {
  const printers = await devices.orm.em
    .fork()
    .find(PrinterEntity, { id: { $in: printerIds } }, { fields: ['id', 'computer'] })
  for (const [computerId, ofComputer] of Map.groupBy(printers, ({ computer }) => computer.id))
    devices.printers.announce({ organizationId, computerId, printerIds: ofComputer.map((printer) => printer.id) })
}
