/** One page of a list by keyset: see `runtime/paging.ts` and `runtime/database/commit-order.ts`. */
import { raw } from '@mikro-orm/core'
import type { PageRequest } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { settled } from '@platen/runtime/database/commit-order.ts'
import { endPage, rowsAsked, unpackPlace } from '@platen/runtime/paging.ts'

/** What to add to a query's `where`. */
export function afterCursor(page: PageRequest | undefined) {
  const limits: object[] = []
  if (page?.ascending) limits.push({ listPlace: { $lt: raw(settled('devices')) } })
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

export const splitPage = endPage
