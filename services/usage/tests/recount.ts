/** The counts of statistics, computed from the jobs. */
import { toEndReason } from '@platen/resources/state-reasons.ts'
import type { World } from '@platen/test/harness/world.ts'
import { addDuration, type Histogram, parseDecimal } from '../histogram.ts'
import { VALUES } from '../list-statistics.ts'

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
}

interface Counted {
  jobs: number
  printing: Histogram
  done: Histogram
}

const toDay = (time: Date) => time.toISOString().slice(0, 10)
const toMs = (end: Date, start: Date) => end.getTime() - start.getTime()

function add(counts: Map<string, Counted>, name: string, from: Counted): void {
  const counted = counts.get(name) ?? { jobs: 0, printing: new Map(), done: new Map() }
  counts.set(name, counted)
  counted.jobs += from.jobs
  for (const kind of ['printing', 'done'] as const)
    for (const [bin, count] of from[kind]) counted[kind].set(bin, (counted[kind].get(bin) ?? 0) + count)
}

/** By organization, mode, dimension, day, value, state and reason. */
export async function recountJobs({ query }: Pick<World, 'query'>): Promise<Map<string, Counted>> {
  const counts = new Map<string, Counted>()
  const addAll = (
    job: JobRow,
    at: Date,
    state: string,
    reason: string,
    durations: Pick<Counted, 'printing' | 'done'>,
  ) => {
    const { organization_id, mode, printer_id: printer, computer_id: computer, source, created_by } = job
    const key = created_by?.startsWith('key:') ? created_by.slice(4) : ''
    for (const [dimension, value] of Object.entries({ all: '', printer, computer, key, source }))
      add(counts, [organization_id, mode, dimension, toDay(at), value, state, reason].join(' '), {
        jobs: 1,
        ...durations,
      })
  }
  for (const job of (await query('SELECT * FROM jobs.job')) as unknown as JobRow[]) {
    const { state, created_at, printing_at, finished_at } = job
    const [printing, done]: [Histogram, Histogram] = [new Map(), new Map()]
    addAll(job, created_at, 'queued', '', { printing, done })
    if (!finished_at) continue
    if (printing_at) addDuration(printing, toMs(printing_at, created_at))
    if (state === 'done') addDuration(done, toMs(finished_at, created_at))
    addAll(job, finished_at, state, toEndReason(state, job.state_reasons) ?? '', { printing, done })
  }
  return counts
}

const DIMENSIONS = Object.entries(VALUES)
  .map(([dimension, value]) => `('${dimension}', ${value})`)
  .join(', ')

const COUNTS = `
SELECT concat_ws(' ', organization_id, mode, dimension, to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD'), value, state, reason) AS name,
  jobs::int, printing::text, done::text
FROM (
  SELECT organization_id, mode, dimension, day, value, state, reason, jobs, printing, done FROM usage.job_day
  UNION ALL SELECT organization_id, mode, dimension, hour, value, state, reason, jobs, printing, done
  FROM usage.job_hour CROSS JOIN LATERAL (VALUES ${DIMENSIONS}) AS shown (dimension, value)
) AS counts`

export async function readCounts({ query }: Pick<World, 'query'>): Promise<Map<string, Counted>> {
  const counts = new Map<string, Counted>()
  const rows = await query<{ name: string; jobs: number; printing: string; done: string }>(COUNTS)
  for (const { name, jobs, printing, done } of rows)
    add(counts, name, { jobs, printing: parseDecimal(printing), done: parseDecimal(done) })
  return counts
}
