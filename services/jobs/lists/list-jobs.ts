/**
 * The statements of job lists: one page by keyset, for any filters.
 *
 * Scans the index of a filter from the cursor (`migrations/release-0.2.ts`) and reads little more than the page,
 * also deep inside 1 M jobs (`npm run bench -- lists`). States are scanned separately and merged, because no index has
 * them in one order. Unfinished jobs have one index for all filters, and ended jobs none for several filters and for
 * what confirmed them: a page examines at most `EXAMINED_MAX` of them, and then can have fewer than its limit. Pairs of
 * metadata have a table in the order of the list, and destinations an index. Takes no locks. It is not prepared,
 * because a generic plan would be slow for rare values.
 */
import type { MikroORM } from '@mikro-orm/postgresql'
import { FINAL_STATES, isFinalState, UNFINISHED_STATES } from '@platen/resources/job-states.ts'
import { visibleBefore } from '@platen/runtime/database/commit-seq.ts'
import type { ListPosition as Cursor } from '@platen/runtime/paging.ts'
import type { Pool } from 'pg'
import { type Job, JobEntity } from '../entities.ts'
import { maxCommitSeq, minCommitSeq } from './commit-seq-bounds.ts'

export interface JobFilters {
  organizationId: string
  mode: string
  /** Empty for any state. */
  states: string[]
  printerId?: string | undefined
  computerId?: string | undefined
  destinationId?: string | undefined
  source?: string | undefined
  confirmedBy?: string | undefined
  /** Selects at most 100 jobs, by the index `job_batch`. */
  batchId?: string | undefined
  /** A job must have each pair. */
  metadata?: Record<string, string>
  /** Selects one job, by the index `job_by_number`. */
  number?: number | undefined
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

export interface FoundJobs {
  rows: ListedJob[]
  /** The last job that was examined, if others follow that were not. */
  scannedUntil?: Cursor | undefined
}

export async function readJobs(
  { lists, orm }: { lists: Pool; orm: MikroORM },
  filters: JobFilters,
  page: JobsPage,
): Promise<FoundJobs> {
  const bound = boundQuery(filters, page)
  const [last] = bound ? (await lists.query<{ commitSeq: string; id: string }>(bound.sql, bound.values)).rows : []
  const scannedUntil = last && { commitSeq: BigInt(last.commitSeq), id: last.id }
  const { sql, values } = listQuery(filters, { ...page, scannedUntil }, getColumns(orm))
  const { rows } = await lists.query<ListedJob>(sql, values)
  return { rows, scannedUntil }
}

/** SQL: the columns of the entity under their property names. */
export function getColumns(orm: MikroORM): string {
  const { props } = orm.getMetadata().get(JobEntity)
  return props.map(({ name, fieldNames }) => `${fieldNames[0]} AS "${name}"`).join(', ')
}

/** Jobs of a page with filters that no index has together: about 5 ms. */
const EXAMINED_MAX = 5_000

/** @returns the query of the last job to examine, if the indexes do not limit how many are. */
function boundQuery(filters: JobFilters, page: JobsPage) {
  const { states, printerId, computerId, destinationId, source, confirmedBy, batchId, metadata, ...others } = filters
  if (batchId !== undefined) return undefined
  if (getPair(filters)) return isOnlyPair(filters) ? undefined : examinedPairsQuery(filters, page)
  const isOfDestination = destinationId !== undefined
  const named = [printerId, computerId, source].filter((value) => value !== undefined).length
  const isUnindexed = named > 1 || confirmedBy !== undefined
  const unfinished = states.filter((state) => !isFinalState(state))
  const isSelected = unfinished.length > 0 && unfinished.length < UNFINISHED_STATES.length
  const isUnfinishedSelected = isSelected || (named > 0 && (states.length === 0 || unfinished.length > 0))
  const isBounded = isOfDestination
    ? isUnindexed || named > 0 || states.length > 0
    : isUnindexed || isUnfinishedSelected
  if (!isBounded) return undefined
  const { values, bind } = createBind()
  const where = toConditions({ ...others, destinationId, states: [] }, page, bind)
  const scan = isUnindexed || isOfDestination ? where : ['final_state IS NULL', ...where]
  return {
    sql: `SELECT commit_seq AS "commitSeq", id FROM jobs.job
          WHERE ${scan.join(' AND ')} ${toOrder(page)} OFFSET ${EXAMINED_MAX - 1} LIMIT 1`,
    values,
  }
}

export function listQuery(
  filters: JobFilters,
  page: JobsPage & { scannedUntil?: Cursor | undefined },
  columns: string,
) {
  const { values, bind } = createBind()
  const where = toConditions(filters, page, bind)
  if (page.scannedUntil) {
    const { commitSeq, id } = page.scannedUntil
    where.push(
      `(commit_seq, id) ${page.ascending ? '<=' : '>='} (${bind(commitSeq.toString())}::bigint, ${bind(id)}::uuid)`,
    )
  }
  const from = getPair(filters) && filters.batchId === undefined ? jobsOfPair(filters, page, bind) : 'jobs.job'
  const scans = toScans(filters, bind).map(
    (scan) =>
      `(SELECT job.* FROM ${from} WHERE ${[...scan, ...where].join(' AND ')} ${toOrder(page)} LIMIT ${page.rows})`,
  )
  return {
    sql: `SELECT ${columns}, commit_seq AS "commitSeq" FROM (${scans.join(' UNION ALL ')}) AS found ${toOrder(page)}
          LIMIT ${page.rows}`,
    values,
  }
}

/** The conditions of each scan, whose jobs an index has in the order of the page. */
function toScans(filters: JobFilters, bind: Bind): string[][] {
  const { states, printerId, computerId, destinationId, source, confirmedBy, batchId } = filters
  if (getPair(filters) || batchId !== undefined || destinationId !== undefined)
    return [states.length === 0 ? [] : [`state = ANY (${bind(states)}::text[])`]]
  if (states.length === 0 && [printerId, computerId, source, confirmedBy].every((value) => value === undefined))
    return [[]]
  const unfinished = states.filter((state) => !isFinalState(state))
  const isAny = states.length === 0 || unfinished.length === UNFINISHED_STATES.length
  return [
    ...(isAny ? [['final_state IS NULL']] : []),
    ...(!isAny && unfinished.length > 0 ? [['final_state IS NULL', `state = ANY (${bind(unfinished)}::text[])`]] : []),
    ...FINAL_STATES.filter((state) => states.length === 0 || states.includes(state)).map((state) => [
      `final_state = ${bind(state)}`,
    ]),
  ]
}

const toOrder = ({ ascending }: JobsPage) =>
  ascending ? 'ORDER BY commit_seq, id' : 'ORDER BY commit_seq DESC, id DESC'

function toConditions(filters: JobFilters, page: JobsPage, bind: Bind): string[] {
  const { createdFrom, createdBefore, metadata } = filters
  const { cursor, conditions } = toPosition(page, bind)
  const { ascending } = page
  return [
    `organization_id = ${bind(filters.organizationId)}`,
    `mode = ${bind(filters.mode)}`,
    ...(filters.printerId === undefined ? [] : [`printer_id = ${bind(filters.printerId)}`]),
    ...(filters.computerId === undefined ? [] : [`computer_id = ${bind(filters.computerId)}`]),
    ...(filters.destinationId === undefined ? [] : [`destination_id = ${bind(filters.destinationId)}`]),
    ...(filters.source === undefined ? [] : [`source = ${bind(filters.source)}`]),
    ...(filters.confirmedBy === undefined ? [] : [`confirmed_by = ${bind(filters.confirmedBy)}`]),
    ...(filters.batchId === undefined ? [] : [`batch_id = ${bind(filters.batchId)}`]),
    ...(getPair(filters) ? [`metadata @> ${bind(metadata)}::jsonb`] : []),
    ...(filters.number === undefined ? [] : [`number = ${bind(filters.number)}`]),
    ...(createdFrom ? from(createdFrom, bind, ascending ? cursor?.commitSeq : undefined) : []),
    ...(createdBefore ? before(createdBefore, bind, ascending ? undefined : cursor?.commitSeq) : []),
    ...conditions,
  ]
}

/** The conditions of what follows the cursor. */
function toPosition({ after, ascending }: JobsPage, bind: Bind) {
  const cursor = after && { commitSeq: `${bind(after.commitSeq.toString())}::bigint`, id: `${bind(after.id)}::uuid` }
  const conditions = [
    ...(ascending ? [`commit_seq < ${visibleBefore('jobs')}`] : []),
    ...(cursor ? [`(commit_seq, id) ${ascending ? '>' : '<'} (${cursor.commitSeq}, ${cursor.id})`] : []),
  ]
  return { cursor, conditions }
}

/** The pair whose jobs are read. The others are conditions of these jobs. */
const getPair = ({ metadata = {} }: JobFilters) => Object.entries(metadata)[0]

const isOnlyPair = ({ organizationId: _, mode: __, states, metadata = {}, ...others }: JobFilters) =>
  Object.keys(metadata).length === 1 &&
  states.length === 0 &&
  Object.values(others).every((value) => value === undefined)

/** SQL: the rows of the pair, in the order of the page. */
function pairRows(filters: JobFilters, page: JobsPage, bind: Bind): string {
  const [key, value] = getPair(filters) ?? []
  const where = [
    `organization_id = ${bind(filters.organizationId)} AND mode = ${bind(filters.mode)}`,
    `value = ${bind(value)} AND key = ${bind(key)}`,
    ...toPosition(page, bind).conditions,
  ]
  return `FROM jobs.job_metadata WHERE ${where.join(' AND ')} ${toOrder(page)}`
}

/**
 * SQL: the jobs of the pair, each read by its id. The limits keep PostgreSQL from joining in another order, which can
 * be far slower.
 */
function jobsOfPair(filters: JobFilters, page: JobsPage, bind: Bind): string {
  const rows = isOnlyPair(filters) ? page.rows : EXAMINED_MAX
  return `(SELECT id AS job_id ${pairRows(filters, page, bind)} LIMIT ${rows}) AS pair
    CROSS JOIN LATERAL (SELECT * FROM jobs.job WHERE job.id = pair.job_id LIMIT 1) AS job`
}

/** The last job to examine of those that have the pair. */
function examinedPairsQuery(filters: JobFilters, page: JobsPage) {
  const { values, bind } = createBind()
  const sql = `SELECT commit_seq AS "commitSeq", id ${pairRows(filters, page, bind)} OFFSET ${EXAMINED_MAX - 1} LIMIT 1`
  return { sql, values }
}

function createBind(): { values: unknown[]; bind: Bind } {
  const values: unknown[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}

type Bind = (value: unknown) => string

/**
 * The second condition follows from the first one and is where the index scan starts. It includes the cursor, because
 * PostgreSQL may use either condition as the start.
 */
const from = (time: Date, bind: Bind, cursor = 'NULL') => [
  `created_at >= ${bind(time)}`,
  `commit_seq >= GREATEST(${cursor}, ${minCommitSeq(time, bind)}, 0)`,
]

const before = (time: Date, bind: Bind, cursor = 'NULL') => [
  `created_at < ${bind(time)}`,
  `commit_seq <= LEAST(${cursor}, ${maxCommitSeq(time, bind)}, ${2n ** 63n - 1n})`,
]
