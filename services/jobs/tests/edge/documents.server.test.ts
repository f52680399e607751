import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { JobState } from '@platen/resources/job-states.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import { openFileStore } from '@platen/runtime/file-store/open-file-store.ts'
import { FILE_STORES, type FileStoreKind, startTestFileStore } from '@platen/test/harness/file-stores.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { sweepDocuments } from '../../timers/sweep-documents.ts'
import { type CreationFacts, createOneJob, jobCreation, startOwnTestJobs } from '../start-test-jobs.ts'

const WEEK_SECONDS = 604_800
const CONTENT = { sizeBytes: 8n, sha256: 'ab'.repeat(32) }
const EXPIRED = expect.objectContaining({ code: 'file_expired' })

async function start(kind: FileStoreKind = 'file') {
  const [jobs, server] = await Promise.all([startOwnTestJobs(), startTestFileStore(kind)])
  const { clock, pool } = jobs
  // NATS compares with the time of the real write, too, which must not be after the time in the document's key.
  jobs.advance(Math.ceil((Date.now() - clock.now().getTime()) / 1000) + 60)
  const service = createTestProcess('jobs')
  onTestFinished(() => service.stop())
  const files = await openFileStore(service, server.url)
  const organizationId = uuidv7()

  const write = (key: string) => files.write(key, Readable.from([Buffer.from('%PDF-1.7')]))
  const newKey = () => uuidv7({ msecs: clock.now().getTime() })
  async function create(facts: CreationFacts, state: JobState, at = clock) {
    const jobId = facts.jobId ?? newKey()
    const creation = jobCreation(jobs, { organizationId, expireAfterSeconds: WEEK_SECONDS, ...facts, jobId })
    await createOneJob({ ...jobs, clock: at }, creation)
    await jobs.force(jobId, state)
    return jobId
  }
  const isThere = async (key: string) =>
    (await files.read(key).then(text, (error: { code: string }) => void expect(error.code).toBe('not_found'))) !==
    undefined
  return {
    jobs,
    pool,
    files,
    newKey,
    write,
    advance: jobs.advance,
    sweep: (store: FileStore = files, at = clock) => sweepDocuments({ ...jobs, clock: at }, store, service.stopping),
    /** The gateway does the same: the document first. @returns the id of the job, which is the key of its document. */
    async add(state: JobState = 'done'): Promise<string> {
      const storageKey = newKey()
      await write(storageKey)
      return await create({ jobId: storageKey, document: { case: 'stored', value: { storageKey, ...CONTENT } } }, state)
    },
    reprint: (value: string, state: JobState = 'done', at = clock) =>
      create({ document: { case: 'reprintOf', value } }, state, at),
    areThere: (...keys: string[]) => Promise.all(keys.map(isThere)),
    waitForLocks: (count: number) => untilBlocked(pool, count),
  }
}

test.each(FILE_STORES)(
  'a document is kept 7 days from the creation of its job, and deleted then, as is one without a job (store: %s)',
  async (kind) => {
    proves('file.kept', 'file.deleted')
    const { advance, newKey, write, add, sweep, areThere } = await start(kind)
    const keys = [await add(), newKey(), `${newKey()}-2`]
    for (const key of keys.slice(1)) await write(key)
    advance(WEEK_SECONDS - 1)
    await sweep()
    expect(await areThere(...keys)).toEqual([true, true, true])
    advance(1)
    for (let n = 0; n < 2; n++) await sweep()
    expect(await areThere(...keys)).toEqual([false, false, false])
  },
)

test('a reprint has 7 days of its own, and keeps the document as long', async () => {
  proves('reprint.own-copy')
  const { advance, add, reprint, sweep, areThere } = await start()
  const original = await add()
  advance(WEEK_SECONDS - 1)
  const copy = await reprint(original)
  const another = await reprint(copy)
  advance(1)
  await sweep()
  await expect(reprint(original)).rejects.toEqual(EXPIRED)
  expect(await areThere(original)).toEqual([true])
  advance(WEEK_SECONDS - 2)
  await sweep()
  expect(await areThere(original)).toEqual([true])
  advance(1)
  await sweep()
  for (const id of [copy, another]) await expect(reprint(id)).rejects.toEqual(EXPIRED)
  expect(await areThere(original)).toEqual([false])
})

test.each<JobState>(['queued', 'sent'])(
  'the document of a job in %s, and of a reprint in it, is kept until the agent has it',
  async (state) => {
    const { jobs, advance, add, reprint, sweep, areThere } = await start()
    const [job, original, other] = [await add(state), await add(), await add()]
    await reprint(original, state)
    advance(2 * WEEK_SECONDS)
    await sweep()
    expect(await areThere(job, original, other)).toEqual([true, true, false])
    await expect(reprint(job)).rejects.toEqual(EXPIRED)
    await jobs.pool.query(`UPDATE jobs.job SET state = 'received'`)
    await sweep()
    expect(await areThere(job, original)).toEqual([false, false])
  },
)

test('an upload of the last 10 minutes is kept, however short the retention is', async () => {
  const { jobs, advance, newKey, write, sweep, areThere } = await start()
  jobs.fileRetentionMs = 1_000
  const key = newKey()
  await write(key)
  advance(10 * 60 - 1)
  await sweep()
  expect(await areThere(key)).toEqual([true])
  advance(1)
  await sweep()
  expect(await areThere(key)).toEqual([false])
})

test('the document of an earlier fetch attempt is deleted, that of the last one is kept, as is one of a fetch that goes on', async () => {
  const { pool, advance, add, write, sweep, areThere } = await start()
  const [job, fetching] = [await add('queued'), await add('queued')]
  await pool.query('UPDATE jobs.job SET storage_key = $2 WHERE id = $1', [job, `${job}-2`])
  await pool.query('UPDATE jobs.job SET storage_key = NULL, fetching = true WHERE id = $1', [fetching])
  const keys = [`${job}-1`, `${job}-2`, `${fetching}-1`]
  for (const key of keys) await write(key)
  advance(WEEK_SECONDS)
  await sweep()
  expect(await areThere(...keys)).toEqual([false, true, true])
})

test('a sweep waits for a reprint that began before it, and keeps its document', async () => {
  const { pool, advance, add, reprint, sweep, areThere, waitForLocks } = await start()
  const original = await add()
  advance(WEEK_SECONDS - 1)
  await add()
  const client = await pool.connect()
  await client.query('BEGIN; SELECT FROM jobs.creation_count FOR UPDATE')
  const reprinting = reprint(original)
  await waitForLocks(1)
  advance(1)
  const sweeping = sweep()
  await waitForLocks(2)
  await client.query('COMMIT')
  client.release()
  await reprinting
  await sweeping
  expect(await areThere(original)).toEqual([true])
})

test('a reprint by a replica whose clock is behind is file_expired after a sweep, and is not counted', async () => {
  const { jobs, pool, files, advance, add, reprint, sweep, areThere } = await start()
  const original = await add()
  advance(WEEK_SECONDS)
  await sweep()
  const behind = createTestClock(new Date(jobs.clock.now().getTime() - 1_000))
  // It sweeps, too.
  await sweep(files, behind)
  await expect(reprint(original, 'done', behind)).rejects.toEqual(EXPIRED)
  expect(await areThere(original)).toEqual([false])
  const counts = await pool.query(
    'SELECT (SELECT count(*) FROM jobs.job)::int AS jobs, sum(count)::int AS counted FROM jobs.creation_count',
  )
  expect(counts.rows).toEqual([{ jobs: 1, counted: 1 }])
  expect(jobs.announced).toEqual([original])
})

test('more documents than one batch are deleted, also by the next sweep after one that died; a needed one between them is kept', async () => {
  const { pool, advance, newKey, write, add, sweep, files, jobs } = await start()
  for (let n = 0; n < 520; n += 40) await Promise.all(Array.from({ length: 40 }, () => write(newKey())))
  const kept = await add('queued')
  advance(WEEK_SECONDS)
  let deletions = 0
  const dying: FileStore = {
    ...files,
    async delete(key) {
      if (++deletions > 1) throw new Error('killed')
      await files.delete(key)
    },
  }
  await expect(sweep(dying)).rejects.toThrow('killed')
  await Promise.all([sweep(), sweep()])
  const left: string[] = []
  for await (const key of files.listOld(jobs.clock.now())) left.push(key)
  expect(left).toEqual([kept])
  expect((await pool.query('SELECT FROM jobs.document_sweep')).rowCount).toBe(1)
})
