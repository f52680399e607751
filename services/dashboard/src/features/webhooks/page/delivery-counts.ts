import type { DeliveryFigures } from '../../../api/gen/schema.ts'
import { fillIntervals } from '../../usage/statistics/intervals.ts'

/** The deliveries of an interval. Null in intervals before those that the service counts. */
export interface DeliveryCounts {
  start: string
  succeeded: number | null
  failedOrMissed: number | null
  pending: number | null
}

export const toDeliveryCounts = (starts: string[], { data, completeSince }: DeliveryFigures): DeliveryCounts[] =>
  fillIntervals(starts, data).map(({ start, entry }) => {
    if (entry) return { ...entry, failedOrMissed: entry.failed + entry.missed }
    const none = start < completeSince ? null : 0
    return { start, succeeded: none, failedOrMissed: none, pending: none }
  })
