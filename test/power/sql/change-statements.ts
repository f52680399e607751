/**
 * Loaded before the program of each process of `power --sql` (`--import`). Removes the markers of `mark-statements.ts`
 * from statements, records which conditions a statement has, and takes conditions away.
 */
import { hash } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Mutant } from './mark-statements.ts'
import type { Scope } from './runner.ts'

/** Set before a test, and inherited by the processes that it starts. */
export interface ChangeEnvironment {
  PLATEN_SQL_DIRECTORY: string
  PLATEN_SQL_SCOPE: Scope
  /** Ids of the conditions that are taken away, with commas. */
  PLATEN_SQL_MUTANTS: string
  /** The file of the ids that the statements of a test have: a line for each statement, with commas. */
  PLATEN_SQL_TRACE: string
}

const MARKER = /\/\*\{?\d+\.\d+\}?\*\//g
const BEGIN = /\/\*\{(\d+)\.0\*\//g
/**
 * Syntax error, unknown column, unknown type of a parameter and others: the change itself is wrong, no test notices it.
 */
const INVALID_CLASS = '42'

const environment = process.env as unknown as ChangeEnvironment
const directory = environment.PLATEN_SQL_DIRECTORY
const mutants: Mutant[] = JSON.parse(readFileSync(join(directory, 'mutants.json'), 'utf8'))
const byId = new Map(mutants.map((mutant) => [String(mutant.id), mutant]))
const traced = { file: '', lines: new Set<string>() }

function trace(text: string): void {
  const file = environment.PLATEN_SQL_TRACE
  if (!file) return
  if (traced.file !== file) Object.assign(traced, { file, lines: new Set() })
  const line = [...new Set([...text.matchAll(BEGIN)].map(([, id]) => id))].join()
  if (line === '' || traced.lines.has(line)) return
  traced.lines.add(line)
  appendFileSync(file, `${line}\n`)
}

/** @returns the text of the statement without those of its conditions that are taken away. */
function change(marked: string): { text: string; isChanged: boolean } {
  let changed = marked
  for (const id of environment.PLATEN_SQL_MUTANTS.split(',')) {
    for (const [n, replacement] of byId.get(id)?.texts.entries() ?? []) {
      const marker = new RegExp(`/\\*\\{${id}\\.${n}\\*/[\\s\\S]*?/\\*${id}\\.${n}\\}\\*/`, 'g')
      changed = changed.replace(marker, () => replacement)
    }
  }
  return { text: changed.replace(MARKER, ''), isChanged: changed !== marked }
}

const changedTexts = new Set<string>()

interface Statement {
  text: string
  name?: string
}

/** A prepared statement with another text has another name. */
function changeStatement<Given extends string | Statement>(given: Given): Given {
  const marked = typeof given === 'string' ? given : given.text
  if (!marked?.includes('/*{')) return given
  trace(marked)
  const { text, isChanged } = change(marked)
  if (isChanged) changedTexts.add(text)
  if (typeof given === 'string') return text as Given
  const statement = Object.assign(Object.create(Object.getPrototypeOf(given)), given, { text })
  // A name can contain a part of the text.
  const name = given.name?.replace(MARKER, '')
  if (name) statement.name = isChanged ? hash('md5', text) : name
  return statement
}

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, statement: string | Statement, ...args: unknown[]) {
  return Reflect.apply(query, this, [changeStatement(statement), ...args])
} as typeof query

/** Each message of the server about an error of a statement. */
const { handleError } = pg.Query.prototype as unknown as { handleError(error: Error, connection: unknown): void }
Object.assign(pg.Query.prototype, {
  handleError(this: pg.Query & Statement, error: Error & { code?: string }, connection: unknown) {
    const id = environment.PLATEN_SQL_MUTANTS
    if (byId.has(id) && changedTexts.has(this.text) && error.code?.startsWith(INVALID_CLASS))
      writeFileSync(join(directory, 'invalid', id), `${error.code} ${error.message}`)
    return handleError.call(this, error, connection)
  },
})
