/** The jobs list as the cache holds it: ids only. The jobs are in `Resources`. */
import type { InfiniteData } from '@tanstack/react-query'
import { isShown, type JobFilters, matches, toQuery } from '../../api/job-filters.ts'
import { type FeedEvent, isFinal, type Resources } from '../../api/resources.ts'

/** The cursor where a page begins. */
export type PageStart = string | undefined

export interface JobPage {
  ids: string[]
  next: PageStart
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
  // Older jobs are on pages that are not loaded.
  const last = pages.pages.at(-1)
  const oldest = last?.next === undefined ? '' : (last.ids.at(-1) ?? '')
  const known = new Set([...first.fresh, ...pages.pages.flatMap(({ ids }) => ids)])
  const found = jobs.filter((job) => job.id > oldest && !known.has(job.id) && matches(job, toQuery(filters)))
  // Jobs that wait for a short time join the list at once, because nobody sees them there.
  const [shown, hidden] = [true, false].map((is) =>
    found.filter((job) => isShown(job, filters, now) === is).map(({ id }) => id),
  ) as [string[], string[]]
  const ended = new Set(jobs.filter((job) => isFinal(job) && !isShown(job, filters, now)).map(({ id }) => id))
  if (shown.length + hidden.length + ended.size === 0) return pages
  const ids = [...newestFirst(hidden), ...first.ids].filter((id) => !ended.has(id))
  return {
    ...pages,
    pages: [{ ...first, ids, fresh: newestFirst([...shown, ...first.fresh]) }, ...others],
  }
}

/** Ids are ordered by the time of the creation. Rows that are shown keep their order. */
const newestFirst = (ids: string[]) => ids.toSorted().toReversed()

/** Shows the fresh jobs. */
export function mergeFresh(pages: JobPages): JobPages {
  const [first, ...others] = pages.pages
  if (!first || first.fresh.length === 0) return pages
  return { ...pages, pages: [{ ...first, ids: [...first.fresh, ...first.ids], fresh: [] }, ...others] }
}
