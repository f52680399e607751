/**
 * The statement of job lists: one page by keyset, for any filters.
 *
 * Scans the index of the most selective filter from the cursor (`migrations/0001-schema.ts`) and reads little more than the page, also
 * deep inside 1 M jobs (`npm run bench -- lists`). Several states are scanned separately and merged, because no index has them in one order.
 * Takes no locks. It is not prepared, because a generic plan would be slow for rare values.
 */
import type { MikroORM } from '@mikro-orm/postgresql'
import { visibleBefore } from '@platen/runtime/database/commit-seq.ts'
import type { ListPosition as Cursor } from '@platen/runtime/paging.ts'
import type { Pool } from 'pg'
import { maxCommitSeq, minCommitSeq } from './commit-seq-bounds.ts'
import { type Job, JobEntity } from './entities.ts'
import { FINAL_STATES } from './states.ts'

export interface JobFilters {
  organizationId: string
  mode: string
  /** Empty for any state. */
  states: string[]
  printerId?: string | undefined
  computerId?: string | undefined
  source?: string | undefined
  /** Inclusive. */
  createdFrom?: Date | undefined
  createdBefore?: Date | undefined
}

export interface JobsPage {
  after: Cursor | undefined
  ascending: boolean
  rows: number
}

export type ListedJob = Job & { commitSeq: string }

export async function readJobs(
  { pool, orm }: { pool: Pool; orm: MikroORM },
  filters: JobFilters,
  page: JobsPage,
): Promise<ListedJob[]> {
  const { sql, values } = listQuery(filters, page, getColumns(orm))
  const { rows } = await pool.query<ListedJob>(sql, values)
  return rows
}

/** SQL: the columns of the entity under their property names. */
function getColumns(orm: MikroORM): string {
  const { props } = orm.getMetadata().get(JobEntity)
  return props.map(({ name, fieldNames }) => `${fieldNames[0]} AS "${name}"`).join(', ')
}

export function listQuery(filters: JobFilters, page: JobsPage, columns: string) {
  const values: unknown[] = []
  const bind: Bind = (value) => `$${values.push(value)}`
  const { createdFrom, createdBefore } = filters
  const { after, ascending } = page
  const cursor = after && { commitSeq: `${bind(after.commitSeq.toString())}::bigint`, id: `${bind(after.id)}::uuid` }
  const where = [
    `organization_id = ${bind(filters.organizationId)}`,
    `mode = ${bind(filters.mode)}`,
    ...(filters.printerId === undefined ? [] : [`printer_id = ${bind(filters.printerId)}`]),
    ...(filters.computerId === undefined ? [] : [`computer_id = ${bind(filters.computerId)}`]),
    ...(filters.source === undefined ? [] : [`source = ${bind(filters.source)}`]),
    ...(createdFrom ? from(createdFrom, bind, ascending ? cursor?.commitSeq : undefined) : []),
    ...(createdBefore ? before(createdBefore, bind, ascending ? undefined : cursor?.commitSeq) : []),
    ...(ascending ? [`commit_seq < ${visibleBefore('jobs')}`] : []),
    ...(cursor ? [`(commit_seq, id) ${ascending ? '>' : '<'} (${cursor.commitSeq}, ${cursor.id})`] : []),
  ]
  const direction = ascending ? 'ASC' : 'DESC'
  const ordered = (name: string) =>
    `ORDER BY ${name}.commit_seq ${direction}, ${name}.id ${direction} LIMIT ${page.rows}`
  if (filters.states.length === 0)
    return {
      sql: `SELECT ${columns}, commit_seq AS "commitSeq" FROM jobs.job WHERE ${where.join(' AND ')} ${ordered('job')}`,
      values,
    }
  const scans = filters.states.map((state) => {
    const isFinal = FINAL_STATES.some((final) => final === state)
    const inState = isFinal ? `final_state = ${bind(state)}` : `final_state IS NULL AND state = ${bind(state)}`
    return `(SELECT * FROM jobs.job WHERE ${inState} AND ${where.join(' AND ')} ${ordered('job')})`
  })
  return {
    sql: `SELECT ${columns}, commit_seq AS "commitSeq" FROM (${scans.join(' UNION ALL ')}) AS found ${ordered('found')}`,
    values,
  }
}

type Bind = (value: unknown) => string

/**
 * The second condition follows from the first one and is where the index scan starts. It includes the cursor, because PostgreSQL may use
 * either condition as the start.
 */
const from = (time: Date, bind: Bind, cursor = 'NULL') => [
  `created_at >= ${bind(time)}`,
  `commit_seq >= GREATEST(${cursor}, ${minCommitSeq(time, bind)}, 0)`,
]

const before = (time: Date, bind: Bind, cursor = 'NULL') => [
  `created_at < ${bind(time)}`,
  `commit_seq <= LEAST(${cursor}, ${maxCommitSeq(time, bind)}, ${2n ** 63n - 1n})`,
]
