/** The jobs list as the cache holds it: ids only. The jobs are in `Resources`. */
import type { InfiniteData } from '@tanstack/react-query'
import type { FeedEvent, Job, Resources } from '../../api/resources.ts'
import { type JobFilters, matches } from './job-filters.ts'

/** Where a page begins. */
export interface PageStart {
  /** Index of the query. */
  query: number
  /** Cursor. */
  after?: string | undefined
  /** When the list was loaded, which its queries depend on. 0: now. */
  loadedAt: number
}

export interface JobPage {
  ids: string[]
  next: PageStart | undefined
  /** Only of the first page: jobs of the feed that are not shown yet, the newest first. */
  fresh: string[]
}

export type JobPages = InfiniteData<JobPage, PageStart>

/** With more, the list is loaded again instead. */
export const FRESH_MAX = 500

/** @returns the list with the jobs of these events that are new in it; the same one without any. */
export function addFresh(pages: JobPages, filters: JobFilters, events: FeedEvent[], resources: Resources): JobPages {
  const [first, ...others] = pages.pages
  if (!first) return pages
  const changed = new Set(events.filter(({ type }) => type.startsWith('printjob.')).map(({ data }) => data.id))
  const found = [...changed].filter((id) => {
    const job: Job | undefined = resources.get('printjob', id)
    return job && matches(job, filters)
  })
  const known = new Set([...first.fresh, ...pages.pages.flatMap(({ ids }) => ids)])
  const fresh = found.filter((id) => !known.has(id))
  if (fresh.length === 0) return pages
  // Ids are ordered by the time of the creation.
  return { ...pages, pages: [{ ...first, fresh: [...fresh, ...first.fresh].toSorted().toReversed() }, ...others] }
}

/** Shows the fresh jobs. */
export function mergeFresh(pages: JobPages): JobPages {
  const [first, ...others] = pages.pages
  if (!first || first.fresh.length === 0) return pages
  return { ...pages, pages: [{ ...first, ids: [...first.fresh, ...first.ids], fresh: [] }, ...others] }
}
