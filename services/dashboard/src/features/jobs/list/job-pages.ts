/** The jobs list as the cache holds it: ids only. The jobs are in `Resources`. */
import type { InfiniteData } from '@tanstack/react-query'
import { isShown, type JobFilters, matches, toQuery } from '../../../api/job-filters.ts'
import type { FeedEvent, Resources } from '../../../api/resources.ts'

/** Where a page begins. Undefined: at the newest job. */
export type PageStart = { cursors: Cursor[]; now: number } | undefined

/** The cursor of one request of the list. Undefined: its begin. Null: its end, so that it is not sent again. */
export type Cursor = string | undefined | null

export interface JobPage {
  ids: string[]
  next: PageStart
  /** The list has all jobs from this id on. Older ones can be on a page that is not loaded. */
  completeFrom: string
  /** What waits for long is known up to this time, in milliseconds by the clock of the service. */
  waitingUntil: number
  /** Only of the first page: jobs of the feed that are not shown yet, the newest first. */
  fresh: string[]
}

export type JobPages = InfiniteData<JobPage, PageStart>

/** With more, the list is loaded again instead. */
export const FRESH_MAX = 500

/** @returns the list with the jobs of these events that are new in it; the same one without any. */
export function addFresh(
  pages: JobPages,
  filters: JobFilters,
  events: FeedEvent[],
  resources: Resources,
  now: number,
): JobPages {
  const [first, ...others] = pages.pages
  if (!first) return pages
  const changed = new Set(events.filter(({ type }) => type.startsWith('printjob.')).map(({ data }) => data.id))
  const jobs = [...changed].flatMap((id) => resources.get('printjob', id) ?? [])
  const { completeFrom } = pages.pages.at(-1) ?? first
  const known = new Set([...first.fresh, ...pages.pages.flatMap(({ ids }) => ids)])
  const found = jobs.filter(
    (job) =>
      job.id > completeFrom && !known.has(job.id) && matches(job, toQuery(filters)) && isShown(job, filters, now),
  )
  if (found.length === 0) return pages
  // Ids are ordered by the time of the creation. Rows that are shown keep their order.
  const fresh = [...found.map(({ id }) => id), ...first.fresh].toSorted().toReversed()
  return { ...pages, pages: [{ ...first, fresh }, ...others] }
}

/** Adds jobs that wait for long since the list was loaded. @param ids the newest first. */
export function addWaiting(pages: JobPages, ids: string[], waitingUntil: number): JobPages {
  const [first, ...others] = pages.pages
  if (!first) return pages
  return { ...pages, pages: [{ ...first, waitingUntil, ids: [...new Set([...ids, ...first.ids])] }, ...others] }
}

/** Shows the fresh jobs. */
export function mergeFresh(pages: JobPages): JobPages {
  const [first, ...others] = pages.pages
  if (!first || first.fresh.length === 0) return pages
  return { ...pages, pages: [{ ...first, ids: [...first.fresh, ...first.ids], fresh: [] }, ...others] }
}
