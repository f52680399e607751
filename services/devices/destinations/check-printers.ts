import type { EntityManager } from '@mikro-orm/postgresql'
import { ApiError } from '@platen/runtime/errors.ts'
import { PrinterEntity } from '../entities.ts'

/** @throws ApiError `not_found` for a printer of another organization or mode, or removed. */
export async function checkPrinters(
  em: EntityManager,
  { organizationId, mode }: { organizationId: string; mode: string },
  printerIds: string[],
): Promise<void> {
  const where = { id: { $in: printerIds }, organizationId, mode, removedAt: null }
  const found = (await em.find(PrinterEntity, where, { fields: ['id'] })).map(({ id }) => id)
  const missing = printerIds.findIndex((id) => !found.includes(id))
  if (missing >= 0)
    throw new ApiError('not_found', `There is no printer with the id ${printerIds[missing]} in ${mode} mode.`, {
      param: `printers[${missing}]`,
    })
}
