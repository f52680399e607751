/** The counts of statistics, computed from the jobs. */
import { CONFIRMED_BY } from '@platen/resources/job-states.ts'
import { toEndReason } from '@platen/resources/state-reasons.ts'
import type { World } from '@platen/test/harness/world.ts'
import { addDuration, type Histogram, parseDecimal } from '../histogram.ts'
import { getStart } from '../intervals.ts'

interface JobRow {
  organization_id: string
  mode: string
  printer_id: string
  computer_id: string
  created_by: string | null
  source: string
  state: Parameters<typeof toEndReason>[0]
  state_reasons: string[]
  created_at: Date
  printing_at: Date | null
  finished_at: Date | null
  confirmed_by: 'printer' | 'spooler' | 'nobody' | null
}

interface Counted {
  accepted: number
  jobs: number
  printing: Histogram
  done: Histogram
  /** Jobs by what confirmed the print. */
  confirmed: Record<string, number>
}

const toMs = (end: Date, start: Date) => end.getTime() - start.getTime()

function add(counts: Map<string, Counted>, name: string, from: Counted): void {
  const counted: Counted = counts.get(name) ?? {
    accepted: 0,
    jobs: 0,
    printing: new Map(),
    done: new Map(),
    confirmed: {},
  }
  counts.set(name, counted)
  counted.accepted += from.accepted
  counted.jobs += from.jobs
  for (const [who, count] of Object.entries(from.confirmed))
    counted.confirmed[who] = (counted.confirmed[who] ?? 0) + count
  for (const kind of ['printing', 'done'] as const)
    for (const [bin, count] of from[kind]) counted[kind].set(bin, (counted[kind].get(bin) ?? 0) + count)
}

/**
 * Without hours, which are deleted first. By organization, mode, interval, dimension, start, value, state and reason.
 */
export async function recountJobs({ query }: Pick<World, 'query'>): Promise<Map<string, Counted>> {
  const counts = new Map<string, Counted>()
  const addAll = (job: JobRow, at: Date, state: string, reason: string, counted: Counted) => {
    const { organization_id, mode, printer_id: printer, computer_id: computer, source, created_by } = job
    const key = created_by?.startsWith('key:') ? created_by.slice(4) : ''
    for (const interval of ['day', 'month'] as const)
      for (const [dimension, value] of Object.entries({ all: '', printer, computer, key, source })) {
        const start = getStart(interval, at).toISOString().slice(0, 13)
        const name = [organization_id, mode, interval, dimension, start, value, state, reason].join(' ')
        add(counts, name, counted)
      }
  }
  for (const job of (await query('SELECT * FROM jobs.job')) as unknown as JobRow[]) {
    const { state, created_at, printing_at, finished_at } = job
    const [printing, done]: [Histogram, Histogram] = [new Map(), new Map()]
    addAll(job, created_at, 'done', '', { accepted: 1, jobs: 0, printing: new Map(), done: new Map(), confirmed: {} })
    if (!finished_at) continue
    if (printing_at) addDuration(printing, toMs(printing_at, created_at))
    if (state === 'done') addDuration(done, toMs(finished_at, created_at))
    addAll(job, finished_at, state, toEndReason(state, job.state_reasons) ?? '', {
      accepted: 0,
      jobs: 1,
      printing,
      done,
      confirmed: job.confirmed_by ? { [job.confirmed_by]: 1 } : {},
    })
  }
  return counts
}

const COUNTS = `
SELECT concat_ws(' ', organization_id, mode, interval, dimension,
  to_char(start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24'), value, state, reason)
  AS name, accepted::int, jobs::int, printing::text, done::text,
  ${CONFIRMED_BY.map((who) => `by_${who}::int AS ${who}`).join(', ')}
FROM usage.job_count WHERE interval <> 'hour'`

export async function readCounts({ query }: Pick<World, 'query'>): Promise<Map<string, Counted>> {
  const counts = new Map<string, Counted>()
  type Row = { name: string; accepted: number; jobs: number; printing: string; done: string }
  for (const { name, accepted, jobs, printing, done, ...by } of await query<Row & Record<string, number>>(COUNTS)) {
    const confirmed = Object.fromEntries(Object.entries(by).filter(([, count]) => count > 0))
    add(counts, name, { accepted, jobs, printing: parseDecimal(printing), done: parseDecimal(done), confirmed })
  }
  return counts
}
