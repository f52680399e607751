import { createEmptyDatabase } from '@platen/test/harness/database.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { continueByProcess, createCommitSeq, visibleBefore } from '../../database/commit-seq.ts'
import { migrate } from '../../database/migrate.ts'
import { parseDatabaseUrl } from '../../database/settings.ts'

/** The tables of release 0.1.0. */
const CREATE_NOTES = [
  ...createCommitSeq('notes'),
  `CREATE TABLE notes.note (
    text text NOT NULL,
    commit_seq bigint NOT NULL DEFAULT notes.to_commit_seq(pg_current_xact_id())
  )`,
]

const MIGRATIONS = [
  { name: '0001', statements: CREATE_NOTES },
  { name: '0002', statements: continueByProcess('notes') },
]

async function startNotes(migrations = MIGRATIONS) {
  const url = await createEmptyDatabase()
  const start = (all = MIGRATIONS) => migrate(createTestProcess('notes').log, parseDatabaseUrl(url), 'notes', all)
  await start(migrations)
  const connect = async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }
  const client = await connect()
  await untilVisible(client)
  return {
    client,
    connect,
    start,
    add: (text: string, by = client) => by.query('INSERT INTO notes.note VALUES ($1)', [text]),
    async read(where = 'true') {
      const { rows } = await client.query<{ text: string }>(
        `SELECT text FROM notes.note WHERE ${where} ORDER BY commit_seq`,
      )
      return rows.map(({ text }) => text)
    },
  }
}

const VISIBLE = `commit_seq < ${visibleBefore('notes')}`

test('a row is visible to pollers once no earlier transaction is open', async () => {
  const { client, connect, add, read } = await startNotes()
  const slow = await connect()
  await slow.query('BEGIN')
  await add('slow', slow)
  await add('fast')
  expect(await read()).toEqual(['fast'])
  expect(await read(VISIBLE)).toEqual([])
  await slow.query('COMMIT')
  await untilVisible(client)
  expect(await read(VISIBLE)).toEqual(['slow', 'fast'])
  await client.query('BEGIN')
  await add('given up')
  await client.query('ROLLBACK')
  await untilVisible(client)
  expect(await read(VISIBLE)).toEqual(['slow', 'fast'])
})

test('a transaction that only reads delays no row', async () => {
  const { client, connect, add, read } = await startNotes()
  const reader = await connect()
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  await reader.query('SELECT FROM notes.note')
  await add('new')
  await untilVisible(client)
  expect(await read(VISIBLE)).toEqual(['new'])
  await reader.query('COMMIT')
})

test('in another process of the server all rows are visible and new rows follow every cursor, whatever the transaction numbers', async () => {
  const { client, start, add, read } = await startNotes()
  await add('first')
  const cursor = BigInt(Date.now()) * 1_000n
  await client.query(`UPDATE notes.commit_seq_origin SET started_at = '-infinity'`)
  await Promise.all([start(), start()])
  await untilVisible(client)
  expect(await read(VISIBLE)).toEqual(['first'])
  await add('second')
  await untilVisible(client)
  expect(await read(`${VISIBLE} AND commit_seq > ${cursor}`)).toEqual(['second'])
})

test('an upgrade of release 0.1.0 moves no row of an open transaction behind readers', async () => {
  const { client, connect, start, add, read } = await startNotes(MIGRATIONS.slice(0, 1))
  const slow = await connect()
  await slow.query('BEGIN')
  await add('slow', slow)
  await start()
  // The connection of a service of the new release.
  await start()
  const { rows } = await client.query<{ passed: string }>(`SELECT ${visibleBefore('notes')} AS passed`)
  await slow.query('COMMIT')
  await untilVisible(client)
  expect(await read(`${VISIBLE} AND commit_seq >= ${rows[0]?.passed}`)).toEqual(['slow'])
})

test('a dump of release 0.1.0 that is restored in another cluster continues above every cursor', async () => {
  const { client, start, add, read } = await startNotes(MIGRATIONS.slice(0, 1))
  await client.query('UPDATE notes.commit_seq_origin SET system_identifier = 1')
  const cursor = BigInt(Date.now()) * 1_000n
  await start()
  await start()
  await add('new')
  await untilVisible(client)
  expect(await read(`${VISIBLE} AND commit_seq > ${cursor}`)).toEqual(['new'])
})

test('a clock that was set back does not move new rows behind old ones', async () => {
  const { client, connect, start, add, read } = await startNotes()
  await client.query(`UPDATE notes.commit_seq_origin SET started_at = '-infinity'`)
  await client.query(
    `CREATE OR REPLACE FUNCTION notes.to_commit_seq(transaction xid8) RETURNS bigint IMMUTABLE LANGUAGE sql
     AS 'SELECT transaction::text::bigint + 9000000000000000'`,
  )
  await add('first')
  await start()
  await add('second', await connect())
  await untilVisible(client)
  expect(await read(VISIBLE)).toEqual(['first', 'second'])
})
