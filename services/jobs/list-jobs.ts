/**
 * The statement behind lists of jobs: one page by keyset, whatever the filters.
 *
 * Walks the index of the most selective filter from the cursor on (`migrations/0001-schema.ts`) and reads little more than the page
 * has, also deep inside of 1 M jobs (`npm run bench -- lists`). Several states are walked one by one and merged, since no index has
 * them in one order. Takes no locks. It is planned anew for its values each time: a plan for all values would have to suit rare ones too.
 */
import type { MikroORM } from '@mikro-orm/postgresql'
import { settled } from '@platen/runtime/database/commit-order.ts'
import type { Place } from '@platen/runtime/paging.ts'
import type { Pool } from 'pg'
import { type Job, JobEntity } from './entities.ts'
import { highestPlace, lowestPlace } from './place-of-time.ts'
import { FINAL_STATES } from './states.ts'

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
  const bind: Bind = (value) => `$${values.push(value)}`
  const { createdFrom, createdBefore } = filters
  const { after, ascending } = page
  const seen = after && { place: `${bind(after.place.toString())}::bigint`, id: `${bind(after.id)}::uuid` }
  const where = [
    `organization_id = ${bind(filters.organizationId)}`,
    `mode = ${bind(filters.mode)}`,
    ...(filters.printerId === undefined ? [] : [`printer_id = ${bind(filters.printerId)}`]),
    ...(filters.computerId === undefined ? [] : [`computer_id = ${bind(filters.computerId)}`]),
    ...(filters.source === undefined ? [] : [`source = ${bind(filters.source)}`]),
    ...(createdFrom ? from(createdFrom, bind, ascending ? seen?.place : undefined) : []),
    ...(createdBefore ? before(createdBefore, bind, ascending ? undefined : seen?.place) : []),
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
  const walks = filters.states.map((state) => {
    const isFinal = FINAL_STATES.some((final) => final === state)
    const inState = isFinal ? `final_state = ${bind(state)}` : `final_state IS NULL AND state = ${bind(state)}`
    return `(SELECT * FROM jobs.job WHERE ${inState} AND ${where.join(' AND ')} ${ordered('job')})`
  })
  return {
    sql: `SELECT ${columns}, list_place AS "listPlace" FROM (${walks.join(' UNION ALL ')}) AS found ${ordered('found')}`,
    values,
  }
}

type Bind = (value: unknown) => string

/**
 * The second condition is implied by the first, and is what an index is entered at; never before a cursor, since PostgreSQL may begin at
 * either of the two.
 */
const from = (time: Date, bind: Bind, cursor = 'NULL') => [
  `created_at >= ${bind(time)}`,
  `list_place >= GREATEST(${cursor}, ${lowestPlace(time, bind)}, 0)`,
]

const before = (time: Date, bind: Bind, cursor = 'NULL') => [
  `created_at < ${bind(time)}`,
  `list_place <= LEAST(${cursor}, ${highestPlace(time, bind)}, ${2n ** 63n - 1n})`,
]
