/** Lists in the order of the numbers of resources, for clients whose ids are integers. */
import type { NumberRange } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'

interface NumberedPage {
  limit: number
  after?: number | undefined
  ascending: boolean
}

const LIMIT_MAX = 100

/** The `where` condition of ranges of numbers; none without ranges. */
export const inRanges = (ranges: Pick<NumberRange, 'from' | 'to'>[]) =>
  ranges.length === 0 ? {} : { $or: ranges.map(({ from, to }) => ({ number: { $gte: from, $lte: to } })) }

export const afterNumber = ({ after, ascending }: NumberedPage) =>
  after === undefined ? {} : { $and: [{ number: ascending ? { $gt: after } : { $lt: after } }] }

export const numberedOptions = ({ limit, ascending }: NumberedPage) => ({
  orderBy: { number: ascending ? ('asc' as const) : ('desc' as const) },
  limit: Math.min(Math.max(limit, 1), LIMIT_MAX),
})
