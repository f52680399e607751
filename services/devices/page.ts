/** One page of a list by keyset: rows after the one that the caller has seen last, one more than asked to know whether more follow. */
import type { PageRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'

/** What to add to a query's `where`. */
export function afterCursor(page: PageRequest | undefined) {
  if (page?.after === undefined) return {}
  return { id: page.ascending ? { $gt: page.after } : { $lt: page.after } }
}

export function pageOptions(page: PageRequest | undefined) {
  return { orderBy: { id: page?.ascending ? ('asc' as const) : ('desc' as const) }, limit: limitOf(page) + 1 }
}

export function splitPage<Row>(page: PageRequest | undefined, rows: Row[]): { rows: Row[]; hasMore: boolean } {
  const limit = limitOf(page)
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit }
}

const limitOf = (page: PageRequest | undefined) => Math.min(Math.max(page?.limit ?? 25, 1), 100)
