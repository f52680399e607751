/**
 * The statement behind lists of jobs: one page by keyset, whatever the filters.
 *
 * Walks the index of the most selective filter from the cursor on (`migrations/0005-lists.ts`) and reads little more than the page
 * has, also deep inside of 1 M jobs (`npm run bench -- lists`). Several states are walked one by one and merged, since no index has
 * them in one order. Takes no locks. It is planned anew for its values each time: a plan for all values would have to suit rare ones too.
 */
import type { MikroORM } from '@mikro-orm/postgresql'
import { settled } from '@platen/runtime/database/commit-order.ts'
import type { Place } from '@platen/runtime/paging.ts'
import type { Pool } from 'pg'
import { type Job, JobEntity } from './entities.ts'

export interface JobFilters {
  organizationId: string
  mode: string
  /** Any of them; none: any state. */
  states: string[]
  printerId?: string | undefined
  computerId?: string | undefined
  source?: string | undefined
  /** At this time or later. */
  createdFrom?: Date | undefined
  createdBefore?: Date | undefined
}

export interface JobsPage {
  after: Place | undefined
  ascending: boolean
  rows: number
}

/**
 * Jobs that were created further apart than this are listed in the order of their times. Between the time that a job bears and its
 * transaction lie 15 s at most (`connection-settings.ts`); the rest is for clocks of replicas that differ.
 */
const OUT_OF_ORDER_MAX = `interval '5 minutes'`

export type ListedJob = Job & { listPlace: string }

export async function readJobs(
  { pool, orm }: { pool: Pool; orm: MikroORM },
  filters: JobFilters,
  page: JobsPage,
): Promise<ListedJob[]> {
  const { sql, values } = listQuery(filters, page, columnsOf(orm))
  const { rows } = await pool.query<ListedJob>(sql, values)
  return rows
}

/** Of the entity, each under the name that it has there. */
function columnsOf(orm: MikroORM): string {
  const { props } = orm.getMetadata().get(JobEntity)
  return props.map(({ name, fieldNames }) => `${fieldNames[0]} AS "${name}"`).join(', ')
}

export function listQuery(filters: JobFilters, page: JobsPage, columns: string) {
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const { createdFrom, createdBefore } = filters
  const { after, ascending } = page
  const seen = after && { place: `${bind(after.place.toString())}::bigint`, id: `${bind(after.id)}::uuid` }
  const where = [
    `organization_id = ${bind(filters.organizationId)}`,
    `mode = ${bind(filters.mode)}`,
    ...(filters.printerId === undefined ? [] : [`printer_id = ${bind(filters.printerId)}`]),
    ...(filters.computerId === undefined ? [] : [`computer_id = ${bind(filters.computerId)}`]),
    ...(filters.source === undefined ? [] : [`source = ${bind(filters.source)}`]),
    ...(createdFrom ? from(bind(createdFrom), ascending ? seen?.place : undefined) : []),
    ...(createdBefore ? before(bind(createdBefore), ascending ? undefined : seen?.place) : []),
    ...(ascending ? [`list_place < ${settled('jobs')}`] : []),
    ...(seen ? [`(list_place, id) ${ascending ? '>' : '<'} (${seen.place}, ${seen.id})`] : []),
  ]
  const direction = ascending ? 'ASC' : 'DESC'
  const ordered = (name: string) =>
    `ORDER BY ${name}.list_place ${direction}, ${name}.id ${direction} LIMIT ${page.rows}`
  if (filters.states.length === 0)
    return {
      sql: `SELECT ${columns}, list_place AS "listPlace" FROM jobs.job WHERE ${where.join(' AND ')} ${ordered('job')}`,
      values,
    }
  return {
    sql: `SELECT ${columns}, list_place AS "listPlace" FROM unnest(${bind(filters.states)}::text[]) AS wanted (wanted_state)
      CROSS JOIN LATERAL (
        SELECT * FROM jobs.job WHERE state = wanted_state AND ${where.join(' AND ')} ${ordered('job')}
      ) AS found ${ordered('found')}`,
    values,
  }
}

/**
 * The second condition is implied by the first, and is what an index is entered at; never before a cursor, since PostgreSQL may begin at
 * either of the two. The first must not look like a condition for `job_created`, which has the jobs of everybody and in another order.
 */
const from = (time: string, cursor = 'NULL') => [
  `created_at + interval '0' >= ${time}`,
  `list_place >= GREATEST(${cursor}, (SELECT list_place FROM jobs.job AS earlier
     WHERE earlier.created_at < ${time}::timestamptz - ${OUT_OF_ORDER_MAX} ORDER BY earlier.created_at DESC LIMIT 1), 0)`,
]

const before = (time: string, cursor = 'NULL') => [
  `created_at + interval '0' < ${time}`,
  `list_place <= LEAST(${cursor}, (SELECT list_place FROM jobs.job AS later
     WHERE later.created_at >= ${time}::timestamptz + ${OUT_OF_ORDER_MAX} ORDER BY later.created_at LIMIT 1), ${2n ** 63n - 1n})`,
]
