/** The filters of the jobs list, which are the search parameters of its URL. */
import type { Job } from '../../api/resources.ts'

export const JOB_STATES: Job['state'][] = [
  'queued',
  'sent',
  'received',
  'printing',
  'done',
  'error',
  'cancelled',
  'expired',
]
const ACTIVE: Job['state'][] = ['queued', 'sent', 'received', 'printing']
const FAILED: Job['state'][] = ['error', 'expired']

/** `attention`: failed, or waiting for long. It is the default and not in the URL. */
export type StateFilter = 'attention' | 'active' | 'done' | 'all' | Job['state']

export interface JobFilters {
  state?: Exclude<StateFilter, 'attention'>
  printer?: string
  computer?: string
  source?: string
  /** ISO 8601. */
  from?: string
  to?: string
}

/** A job that waits for longer needs attention. */
const WAITING_MS = 5 * 60_000

const STATE_FILTERS: readonly unknown[] = ['active', 'all', ...JOB_STATES]
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isId = (text: string) => UUID.test(text)

/** Ignores what is no filter, so that a mistyped link shows a list. */
export function parseJobFilters(search: Record<string, unknown>): JobFilters {
  const text = (name: string) => (typeof search[name] === 'string' && search[name] !== '' ? search[name] : undefined)
  const id = (name: string) => (UUID.test(text(name) ?? '') ? text(name) : undefined)
  const time = (name: string) => (Number.isNaN(Date.parse(text(name) ?? '')) ? undefined : text(name))
  // Sources can look like numbers, which the router reads as such.
  const source = typeof search.source === 'number' ? String(search.source) : text('source')
  const filters = {
    state: STATE_FILTERS.includes(search.state) ? (search.state as JobFilters['state']) : undefined,
    printer: id('printer'),
    computer: id('computer'),
    source,
    from: time('from'),
    to: time('to'),
  }
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}

export interface JobsQuery {
  state?: Job['state'][]
  printerId?: string | undefined
  computerId?: string | undefined
  source?: string | undefined
  createdAfter?: string | undefined
  createdBefore?: string | undefined
}

/**
 * The queries whose results, one after the other, are the list: the newest job first.
 *
 * @param now milliseconds by the clock of the service.
 */
export function toQueries({ state = 'attention' as never, ...filters }: JobFilters, now: number): JobsQuery[] {
  const { printer, computer, source, from, to } = filters
  const common = { printerId: printer, computerId: computer, source, createdAfter: from, createdBefore: to }
  switch (state as StateFilter) {
    case 'attention': {
      const cutoff = new Date(now - WAITING_MS).toISOString()
      const recent = { ...common, state: FAILED, createdAfter: latest(from, cutoff) }
      const older = { ...common, state: [...FAILED, ...ACTIVE], createdBefore: earliest(to, cutoff) }
      return [recent, older]
    }
    case 'active':
      return [{ ...common, state: ACTIVE }]
    case 'all':
      return [common]
    default:
      return [{ ...common, state: [state as Job['state']] }]
  }
}

const latest = (a: string | undefined, b: string) => (a && Date.parse(a) > Date.parse(b) ? a : b)
const earliest = (a: string | undefined, b: string) => (a && Date.parse(a) < Date.parse(b) ? a : b)

/** Whether a job that has just changed belongs to the list. */
export function matches(job: Job, { state = 'attention' as never, ...filters }: JobFilters): boolean {
  const { printer, computer, source, from, to } = filters
  const createdAt = Date.parse(job.createdAt)
  return (
    toStates(state).includes(job.state) &&
    (!printer || job.printerId === printer) &&
    (!computer || job.computerId === computer) &&
    (!source || job.source === source) &&
    (!from || createdAt >= Date.parse(from)) &&
    (!to || createdAt < Date.parse(to))
  )
}

function toStates(state: StateFilter): Job['state'][] {
  if (state === 'attention') return FAILED
  if (state === 'active') return ACTIVE
  return state === 'all' ? JOB_STATES : [state]
}
