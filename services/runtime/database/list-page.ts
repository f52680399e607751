/** One page of a list of entities by keyset: see `paging.ts` and `commit-order.ts`. `endPage` of the former makes the page of what is found. */
import { raw } from '@mikro-orm/core'
import type { PageRequest } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { rowsAsked, unpackPlace } from '../paging.ts'
import { settled } from './commit-order.ts'

/**
 * What to add to a query's `where`.
 *
 * @param schema the service's own.
 * @throws ApiError `invalid_request` for a cursor that is no place.
 */
export function afterCursor(schema: string, page: PageRequest | undefined) {
  const limits: object[] = []
  if (page?.ascending) limits.push({ listPlace: { $lt: raw(settled(schema)) } })
  if (page?.after !== undefined) {
    const { place, id } = unpackPlace(page.after)
    // The first of the two is what an index can begin at.
    if (page.ascending)
      limits.push({ listPlace: { $gte: place } }, { $or: [{ listPlace: { $gt: place } }, { id: { $gt: id } }] })
    else limits.push({ listPlace: { $lte: place } }, { $or: [{ listPlace: { $lt: place } }, { id: { $lt: id } }] })
  }
  return limits.length > 0 ? { $and: limits } : {}
}

export function pageOptions(page: PageRequest | undefined) {
  const order = page?.ascending ? ('asc' as const) : ('desc' as const)
  return { orderBy: { listPlace: order, id: order }, limit: rowsAsked(page) }
}
