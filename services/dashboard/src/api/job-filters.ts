/** The filters of the jobs list, which are the search parameters of its URL. */
import {
  CONFIRMED_BY,
  FAILED_STATES,
  JOB_STATES,
  UNFINISHED_STATES,
  WAITING_LONG_MS,
} from '@platen/resources/job-states.ts'
import { SEARCH } from '@platen/resources/limits.ts'
import type { Job } from './resources.ts'

export const ACTIVE: Job['state'][] = [...UNFINISHED_STATES]
const FAILED: Job['state'][] = [...FAILED_STATES]

/** `attention`: failed, or waiting for long. It is the default and not in the URL. */
export type StateFilter = 'attention' | 'active' | 'done' | 'all' | Job['state']

export interface JobFilters {
  state?: Exclude<StateFilter, 'attention'>
  printer?: string
  computer?: string
  destination?: string
  source?: string
  confirmedBy?: (typeof CONFIRMED_BY)[number]
  /** The id of a batch. */
  batch?: string
  /** Pairs that a job must have. */
  metadata?: Record<string, string>
  number?: number
  /** Searches all jobs. It has no other filters. */
  q?: string
  /** ISO 8601. */
  from?: string
  to?: string
}

const STATE_FILTERS: readonly unknown[] = ['active', 'all', ...JOB_STATES]
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `#1042`, as the application shows numbers. */
export const parseNumber = (text: string): number | undefined => {
  const digits = /^#(\d{1,10})$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

export const isId = (text: string) => UUID.test(text)

/** Ignores what is no filter, so that a mistyped link shows a list. */
export function parseJobFilters(search: Record<string, unknown>): JobFilters {
  const text = (name: string) => (typeof search[name] === 'string' && search[name] !== '' ? search[name] : undefined)
  const id = (name: string) => (UUID.test(text(name) ?? '') ? text(name) : undefined)
  const time = (name: string) => (Number.isNaN(Date.parse(text(name) ?? '')) ? undefined : text(name))
  // Texts can look like numbers, which the router reads as such.
  const q = (typeof search.q === 'number' ? String(search.q) : text('q'))?.trim().slice(0, SEARCH.lengthMax)
  if (q) return { q, state: 'all' }
  const source = typeof search.source === 'number' ? String(search.source) : text('source')
  const filters = {
    state: STATE_FILTERS.includes(search.state) ? (search.state as JobFilters['state']) : undefined,
    printer: id('printer'),
    computer: id('computer'),
    destination: id('destination'),
    source,
    confirmedBy: CONFIRMED_BY.find((who) => who === search.confirmedBy),
    batch: id('batch'),
    metadata: parsePairs(search.metadata),
    number: Number.isInteger(search.number) ? (search.number as number) : undefined,
    from: time('from'),
    to: time('to'),
  }
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}

/** @returns undefined for what is no object with texts. */
function parsePairs(value: unknown): Record<string, string> | undefined {
  const pairs = value instanceof Object ? Object.entries(value).filter(([, text]) => typeof text === 'string') : []
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined
}

export interface JobsQuery {
  state?: Job['state'][] | undefined
  printerId?: string | undefined
  computerId?: string | undefined
  destinationId?: string | undefined
  source?: string | undefined
  confirmedBy?: JobFilters['confirmedBy'] | undefined
  batchId?: string | undefined
  metadata?: Record<string, string> | undefined
  number?: number | undefined
  q?: string | undefined
  createdAfter?: string | undefined
  createdBefore?: string | undefined
}

export function toQuery({
  q,
  state,
  printer,
  computer,
  destination,
  source,
  confirmedBy,
  batch,
  metadata,
  number,
  from,
  to,
}: JobFilters): JobsQuery {
  if (q !== undefined) return { q }
  return {
    state: state === 'all' ? undefined : toStates(state),
    printerId: printer,
    computerId: computer,
    destinationId: destination,
    source,
    confirmedBy,
    batchId: batch,
    metadata,
    number,
    createdAfter: from,
    createdBefore: to,
  }
}

/**
 * The requests whose results are the list. What needs attention is one list of failed jobs and one of jobs that wait
 * for long, so that jobs that need none are not loaded.
 *
 * @param now milliseconds by the clock of the service.
 */
export function toQueries(filters: JobFilters, now: number): JobsQuery[] {
  const query = toQuery(filters)
  if (filters.state !== undefined) return [query]
  const waitingSince = new Date(now - WAITING_LONG_MS).toISOString()
  const createdBefore = [waitingSince, query.createdBefore ?? waitingSince].toSorted(byTime)[0]
  return [
    { ...query, state: FAILED },
    { ...query, state: ACTIVE, createdBefore },
  ]
}

const byTime = (a: string, b: string) => Date.parse(a) - Date.parse(b)

/** Whether a job that has just changed is a result of the query. */
export function matches(
  job: Job,
  {
    q,
    state,
    printerId,
    computerId,
    destinationId,
    source,
    confirmedBy,
    batchId,
    metadata = {},
    number,
    createdAfter,
    createdBefore,
  }: JobsQuery,
): boolean {
  const createdAt = Date.parse(job.createdAt)
  return (
    // Only the service searches.
    q === undefined &&
    (!state || state.includes(job.state)) &&
    (!printerId || job.printerId === printerId) &&
    (!computerId || job.computerId === computerId) &&
    (!destinationId || job.destinationId === destinationId) &&
    (!source || job.source === source) &&
    (!confirmedBy || job.confirmedBy === confirmedBy) &&
    (!batchId || job.batchId === batchId) &&
    Object.entries(metadata).every(([key, value]) => job.metadata[key] === value) &&
    (!number || job.number === number) &&
    (!createdAfter || createdAt >= Date.parse(createdAfter)) &&
    (!createdBefore || createdAt < Date.parse(createdBefore))
  )
}

/**
 * Whether a job of the list is shown: a job that did need attention may have ended well. In other lists a job stays
 * when its state changes, so that rows do not vanish while they are read.
 *
 * @param now milliseconds by the clock of the service.
 */
export function isShown(job: Job, { state }: JobFilters, now: number): boolean {
  if (state !== undefined || FAILED.includes(job.state)) return true
  return ACTIVE.includes(job.state) && now - Date.parse(job.createdAt) > WAITING_LONG_MS
}

function toStates(state: StateFilter = 'attention'): Job['state'][] {
  if (state === 'attention') return [...FAILED, ...ACTIVE]
  if (state === 'active') return ACTIVE
  return state === 'all' ? [...JOB_STATES] : [state]
}
