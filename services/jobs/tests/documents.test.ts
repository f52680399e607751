import { create } from '@bufbuild/protobuf'
import { CreateJobRequestSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import { openFileStore } from '@platen/runtime/file-store/open-file-store.ts'
import { FILE_STORES, type FileStoreKind, startTestFileStore } from '@platen/test/harness/file-stores.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createJob } from '../rpc/create-job.ts'
import type { JobState } from '../states.ts'
import { sweepDocuments } from '../timers/sweep-documents.ts'
import { startTestJobs } from './start-test-jobs.ts'

const WEEK_SECONDS = 604_800
const CONTENT = '%PDF-1.7'
const EXPIRED = expect.objectContaining({ code: 'file_expired' })

async function start(kind: FileStoreKind = 'file') {
  const [jobs, server] = await Promise.all([startTestJobs(), startTestFileStore(kind)])
  const { clock, pool } = jobs
  // NATS looks at when a document was really written, too: a document of this test is written before the time that its name says.
  clock.advanceSeconds(Math.ceil((Date.now() - clock.now().getTime()) / 1000) + 60)
  const service = createTestProcess('jobs')
  onTestFinished(() => service.stop())
  const files = await openFileStore(service, server.url)
  const organizationId = uuidv7()

  const write = (key: string, store: FileStore = files) =>
    store.write(
      key,
      (async function* () {
        yield Buffer.from(CONTENT)
      })(),
    )
  const newKey = () => uuidv7({ msecs: clock.now().getTime() })
  const request = (facts: { jobId: string; storageKey?: string; reprintOf?: string }) =>
    create(CreateJobRequestSchema, {
      organizationId,
      mode: 'test',
      printerId: uuidv7(),
      computerId: uuidv7(),
      title: 'Invoice',
      contentType: 'pdf_base64',
      source: 'api',
      qty: 1,
      options: {},
      expireAfterSeconds: WEEK_SECONDS,
      fileSizeBytes: BigInt(CONTENT.length),
      fileSha256: 'ab'.repeat(32),
      actor: 'api',
      ...facts,
    })
  return {
    jobs,
    clock,
    pool,
    files,
    newKey,
    write,
    sweep: (store: FileStore = files) => sweepDocuments(jobs, store, service.stopping),
    /** As the gateway does it: the document first. @returns the id of the job, under which its document lies. */
    async add(state: JobState = 'done'): Promise<string> {
      const jobId = newKey()
      await write(jobId)
      await createJob(jobs, request({ jobId, storageKey: jobId }))
      await jobs.force(jobId, state)
      return jobId
    },
    async reprint(reprintOf: string, state: JobState = 'done'): Promise<string> {
      const jobId = newKey()
      await createJob(jobs, request({ jobId, reprintOf }))
      await jobs.force(jobId, state)
      return jobId
    },
    async isThere(key: string): Promise<boolean> {
      return await files.read(key).then(
        (content) => {
          content.destroy()
          return true
        },
        (error: { code: string }) => {
          expect(error.code).toBe('not_found')
          return false
        },
      )
    },
    count: async () => (await pool.query('SELECT FROM jobs.job')).rowCount,
    /** Nobody can count a job until the returned function is called. */
    async lockCounts() {
      const client = await pool.connect()
      await client.query('BEGIN')
      await client.query('SELECT FROM jobs.creation_count FOR UPDATE')
      return async () => {
        await client.query('COMMIT')
        client.release()
      }
    },
    waitForLocks: (count: number) => untilBlocked(pool, count),
  }
}

describe.each(FILE_STORES)('in a store of the kind %s', (kind) => {
  test('a document is kept 7 days from the creation of its job, and deleted then', async () => {
    const { clock, add, sweep, isThere } = await start(kind)
    const id = await add()
    clock.advanceSeconds(WEEK_SECONDS - 1)
    await sweep()
    expect(await isThere(id)).toBe(true)
    clock.advanceSeconds(1)
    await sweep()
    expect(await isThere(id)).toBe(false)
    await sweep()
  })

  test('a document whose job was never made is deleted when it is as old, and not sooner', async () => {
    const { clock, newKey, write, sweep, isThere } = await start(kind)
    const [upload, fetched] = [newKey(), `${newKey()}-2`]
    for (const key of [upload, fetched]) await write(key)
    clock.advanceSeconds(WEEK_SECONDS - 1)
    await sweep()
    expect([await isThere(upload), await isThere(fetched)]).toEqual([true, true])
    clock.advanceSeconds(1)
    await sweep()
    expect([await isThere(upload), await isThere(fetched)]).toEqual([false, false])
  })

  test('a reprint lives as long as it may by itself, and its document with it', async () => {
    const { clock, add, reprint, sweep, isThere } = await start(kind)
    const original = await add()
    clock.advanceSeconds(WEEK_SECONDS - 1)
    const copy = await reprint(original)
    const another = await reprint(copy)
    clock.advanceSeconds(1)
    await sweep()
    await expect(reprint(original)).rejects.toEqual(EXPIRED)
    expect(await isThere(original)).toBe(true)
    clock.advanceSeconds(WEEK_SECONDS - 2)
    await sweep()
    expect(await isThere(original)).toBe(true)
    clock.advanceSeconds(1)
    await sweep()
    for (const id of [copy, another]) await expect(reprint(id)).rejects.toEqual(EXPIRED)
    expect(await isThere(original)).toBe(false)
  })
})

test.each<JobState>(['queued', 'sent', 'received', 'printing'])(
  'the document of a job that is %s is kept, however old, until the job has ended',
  async (state) => {
    const { jobs, clock, add, reprint, sweep, isThere } = await start()
    const [job, original] = [await add(state), await add()]
    await reprint(original, state)
    clock.advanceSeconds(2 * WEEK_SECONDS)
    await sweep()
    expect([await isThere(job), await isThere(original)]).toEqual([true, true])
    await expect(reprint(job)).rejects.toEqual(EXPIRED)
    await jobs.pool.query(`UPDATE jobs.job SET state = 'expired'`)
    await sweep()
    expect([await isThere(job), await isThere(original)]).toEqual([false, false])
  },
)

test('however short documents are kept, an upload of the last 10 minutes is not taken for an abandoned one', async () => {
  const { jobs, clock, newKey, write, sweep, isThere } = await start()
  jobs.fileRetentionMs = 1_000
  const key = newKey()
  await write(key)
  clock.advanceSeconds(10 * 60 - 1)
  await sweep()
  expect(await isThere(key)).toBe(true)
  clock.advanceSeconds(1)
  await sweep()
  expect(await isThere(key)).toBe(false)
})

test('a document that one attempt of a fetch left behind is deleted, and that of the other is kept', async () => {
  const { pool, clock, add, write, sweep, isThere } = await start()
  const job = await add('queued')
  await pool.query('UPDATE jobs.job SET storage_key = $2 WHERE id = $1', [job, `${job}-2`])
  for (const attempt of [1, 2]) await write(`${job}-${attempt}`)
  clock.advanceSeconds(WEEK_SECONDS)
  await sweep()
  expect([await isThere(`${job}-1`), await isThere(`${job}-2`)]).toEqual([false, true])
})

test('a reprint that is under way when a sweep begins is waited for, and keeps its document', async () => {
  const { clock, add, reprint, sweep, isThere, lockCounts, waitForLocks } = await start()
  const original = await add()
  clock.advanceSeconds(WEEK_SECONDS - 1)
  await add()
  const unlock = await lockCounts()
  const reprinting = reprint(original)
  await waitForLocks(1)
  clock.advanceSeconds(1)
  const sweeping = sweep()
  await waitForLocks(2)
  await unlock()
  await reprinting
  await sweeping
  expect(await isThere(original)).toBe(true)
})

test('a reprint whose maker was so slow that a sweep has begun is file_expired, and counts for nothing', async () => {
  const { jobs, clock, pool, add, reprint, sweep, isThere, count } = await start()
  const original = await add()
  clock.advanceSeconds(WEEK_SECONDS)
  await sweep()
  // What the slow one saw when it looked.
  clock.advanceSeconds(-1)
  await expect(reprint(original)).rejects.toEqual(EXPIRED)
  expect(await isThere(original)).toBe(false)
  expect(await count()).toBe(1)
  const counts = await pool.query<{ count: number }>('SELECT sum(count)::int AS count FROM jobs.creation_count')
  expect(counts.rows).toEqual([{ count: 1 }])
  expect(jobs.announced).toEqual([original])
})

test('a sweep that died is done again by the next one', async () => {
  const { clock, files, add, sweep, isThere } = await start()
  const ids = [await add(), await add(), await add()]
  clock.advanceSeconds(WEEK_SECONDS)
  let deletions = 0
  const dying: FileStore = {
    ...files,
    async delete(key) {
      if (++deletions > 1) throw new Error('killed')
      await files.delete(key)
    },
  }
  await expect(sweep(dying)).rejects.toThrow('killed')
  await waitFor(async () => {
    const left = await Promise.all(ids.map(isThere))
    expect(left.filter((isHere) => isHere)).toHaveLength(2)
  })
  await Promise.all([sweep(), sweep()])
  expect(await Promise.all(ids.map(isThere))).toEqual([false, false, false])
})

test('more than a batch is deleted, and what is between is kept', async () => {
  const { pool, clock, newKey, write, add, sweep, isThere, files } = await start()
  for (let n = 0; n < 520; n += 40) await Promise.all(Array.from({ length: 40 }, () => write(newKey())))
  const kept = await add('queued')
  clock.advanceSeconds(WEEK_SECONDS)
  await sweep()
  const left: string[] = []
  for await (const key of files.listOld(clock.now())) left.push(key)
  expect(left).toEqual([kept])
  expect(await isThere(kept)).toBe(true)
  expect((await pool.query('SELECT FROM jobs.document_sweep')).rowCount).toBe(1)
})
