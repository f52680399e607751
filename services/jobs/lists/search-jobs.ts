/**
 * The statement of a search: the newest jobs that match a text, over all states.
 *
 * Each part reads a bounded number of rows: `EXAMINED_MAX` of the newest jobs for words of their titles, as many of the
 * index `job_ended_by_title` for titles that begin with the text, as many of the newest unfinished jobs, and
 * `SEARCH_MAX` for each final state of a source and of each printer. A value of metadata has `EXAMINED_MAX` of its
 * jobs. So a common text costs as much as a rare one, also among millions of jobs. Takes no locks. It is not prepared,
 * because a generic plan would not use `job_ended_by_title`.
 */
import type { MikroORM } from '@mikro-orm/postgresql'
import { FINAL_STATES } from '@platen/resources/job-states.ts'
import { SEARCH } from '@platen/resources/limits.ts'
import { parseNumber } from '@platen/resources/parse-number.ts'
import type { Pool } from 'pg'
import { validate as isUuid } from 'uuid'
import type { Job } from '../entities.ts'
import { getColumns } from './list-jobs.ts'

/** About 10 ms. */
const EXAMINED_MAX = 5_000

const OWN = 'organization_id = $1 AND mode = $2'
const NEWEST = `ORDER BY commit_seq DESC, id DESC LIMIT ${SEARCH.resultsMax}`
const ROW = 'commit_seq, id'

/** The newest of each final state, because the indexes have the states one after the other. */
const ofEachFinalState = (where: string) =>
  FINAL_STATES.map(
    (state) => `(SELECT job.commit_seq, job.id FROM jobs.job WHERE ${where} AND final_state = '${state}'
    ORDER BY commit_seq DESC, id DESC LIMIT ${SEARCH.resultsMax})`,
  ).join(' UNION ALL ')

const searchSql = (columns: string) => `
WITH recent AS MATERIALIZED (
  SELECT ${ROW}, title FROM jobs.job WHERE ${OWN} ORDER BY commit_seq DESC, id DESC LIMIT ${EXAMINED_MAX}
),
unfinished AS MATERIALIZED (
  SELECT ${ROW}, title, source, printer_id FROM jobs.job WHERE ${OWN} AND final_state IS NULL
  ORDER BY commit_seq DESC, id DESC LIMIT ${EXAMINED_MAX}
),
begins AS MATERIALIZED (
  SELECT ${ROW} FROM jobs.job
  WHERE ${OWN} AND lower(title) LIKE lower($4) AND final_state IS NOT NULL LIMIT ${EXAMINED_MAX}
),
-- In the order of the primary key, read backwards.
valued AS MATERIALIZED (
  SELECT ${ROW} FROM jobs.job_metadata
  WHERE ${OWN} AND value = $7 ORDER BY key DESC, commit_seq DESC, id DESC LIMIT ${EXAMINED_MAX}
),
found AS (
  (SELECT ${ROW} FROM recent
    WHERE lower(title) LIKE ALL (ARRAY(SELECT lower(part) FROM unnest($9::text[]) AS part))
      AND lower(title) ~ ALL (ARRAY(SELECT lower(pattern) FROM unnest($3::text[]) AS pattern)) ${NEWEST})
  UNION (SELECT ${ROW} FROM begins ${NEWEST})
  UNION (SELECT ${ROW} FROM jobs.job WHERE ${OWN} AND number = $5)
  UNION (SELECT ${ROW} FROM jobs.job WHERE ${OWN} AND id = $6)
  UNION (SELECT ${ROW} FROM valued ${NEWEST})
  UNION (
    SELECT ${ROW} FROM unfinished
    WHERE lower(title) LIKE lower($4) OR source = $7 OR printer_id = ANY($8::uuid[]) ${NEWEST}
  )
  UNION (SELECT ${ROW} FROM (${ofEachFinalState(`${OWN} AND source = $7`)}) AS of_source ${NEWEST})
  UNION (
    SELECT of_printer.* FROM unnest($8::uuid[]) AS printer (printer_id)
      CROSS JOIN LATERAL (${ofEachFinalState(`${OWN} AND job.printer_id = printer.printer_id`)}) AS of_printer
  )
)
SELECT ${columns} FROM (SELECT * FROM found ${NEWEST}) AS found JOIN jobs.job USING (commit_seq, id)
ORDER BY commit_seq DESC, id DESC`

export interface Search {
  organizationId: string
  mode: string
  text: string
  /** The ids of printers whose name matches. */
  printerIds: string[]
}

export async function searchJobs({ lists, orm }: { lists: Pool; orm: MikroORM }, search: Search): Promise<Job[]> {
  const { organizationId, mode, printerIds } = search
  const text = search.text.trim()
  const words = text.split(/\s+/)
  const { rows } = await lists.query<Job>(searchSql(getColumns(orm)), [
    organizationId,
    mode,
    words.map(toPattern),
    `${escapeLike(text)}%`,
    parseNumber(text) ?? null,
    isUuid(text) ? text : null,
    text,
    printerIds,
    words.map((word) => `%${escapeLike(word)}%`),
  ])
  return rows
}

/**
 * A regular expression of a word that begins a word of a title. It takes longer than LIKE, so that is evaluated before.
 */
const toPattern = (word: string) =>
  `(^|[^[:alnum:]])${word.replaceAll(/[\\^$.|?*+()[\]{}]/g, (character) => `\\${character}`)}`

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
