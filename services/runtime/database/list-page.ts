/**
 * Query parts for one page of entities: see `paging.ts` and `commit-seq.ts`. `endPage` of `paging.ts` builds the page
 * from the rows.
 */
import { raw } from '@mikro-orm/core'
import type { PageRequest } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { queryLimit, unpackPosition } from '../paging.ts'
import { visibleBefore } from './commit-seq.ts'

/**
 * The `where` condition of a page.
 *
 * @param schema of the service.
 * @throws ApiError `invalid_request` for an invalid cursor.
 */
export function afterCursor(schema: string, page: PageRequest | undefined) {
  const conditions: object[] = []
  if (page?.ascending) conditions.push({ commitSeq: { $lt: raw(visibleBefore(schema)) } })
  if (page?.after !== undefined) {
    const { commitSeq, id } = unpackPosition(page.after)
    // The first condition is the start of the index scan.
    if (page.ascending)
      conditions.push(
        { commitSeq: { $gte: commitSeq } },
        { $or: [{ commitSeq: { $gt: commitSeq } }, { id: { $gt: id } }] },
      )
    else
      conditions.push(
        { commitSeq: { $lte: commitSeq } },
        { $or: [{ commitSeq: { $lt: commitSeq } }, { id: { $lt: id } }] },
      )
  }
  return conditions.length > 0 ? { $and: conditions } : {}
}

export function pageOptions(page: PageRequest | undefined) {
  const order = page?.ascending ? ('asc' as const) : ('desc' as const)
  return { orderBy: { commitSeq: order, id: order }, limit: queryLimit(page) }
}
