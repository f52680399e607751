/** How long small documents are kept, in a database of the test: its clock moves by weeks. */

import type { JobState } from '@platen/resources/job-states.ts'
import { sweepPartitions } from '@platen/runtime/database/partitions.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { documentPartitions } from '../../documents/inline-documents.ts'
import { type CreationFacts, createOneJob, jobCreation, startOwnTestJobs } from '../start-test-jobs.ts'

const DAY_SECONDS = 86_400
const KEPT_DAYS = 7
const EXPIRED = expect.objectContaining({ code: 'file_expired' })
const CONTENT = Buffer.from('%PDF-1.7')

async function start() {
  const jobs = await startOwnTestJobs()
  const organizationId = uuidv7()
  const tables = [documentPartitions(jobs.fileRetentionMs)]
  const { clock } = jobs
  const server = parseDatabaseUrl(jobs.databaseUrl)
  const keep = () => sweepPartitions({ clock, log: createLogger('test', 'silent') }, { schema: 'jobs', server, tables })
  await keep()
  async function createIn(state: JobState, facts: CreationFacts): Promise<string> {
    const { id } = await createOneJob(jobs, jobCreation(jobs, { organizationId, ...facts }))
    await jobs.force(id, state)
    return id
  }
  const value = { storageKey: '', sizeBytes: 8n, sha256: 'ab'.repeat(32), content: CONTENT }
  return {
    jobs,
    keep,
    add: (state: JobState = 'done') => createIn(state, { document: { case: 'stored', value } }),
    addStored: () => createIn('queued', {}),
    reprint: (original: string, state: JobState = 'done') =>
      createIn(state, { document: { case: 'reprintOf', value: original } }),
    advanceDays: (days: number) => jobs.advance(days * DAY_SECONDS),
    /** The jobs of all days that have a document. */
    async documents(): Promise<string[]> {
      const { rows } = await jobs.pool.query<{ job_id: string }>('SELECT job_id FROM jobs.document ORDER BY job_id')
      return rows.map(({ job_id }) => job_id)
    },
  }
}

test('a small document is kept 7 days from the creation of its job, and dropped with its day then', async () => {
  const { add, addStored, advanceDays, keep, documents } = await start()
  const first = await add()
  // Neither it nor a younger job keeps the day.
  await addStored()
  advanceDays(1)
  await keep()
  const second = await add('queued')
  advanceDays(KEPT_DAYS - 0.001)
  await keep()
  expect(await documents()).toEqual([first, second])
  advanceDays(0.001)
  await keep()
  expect(await documents()).toEqual([second])
})

test('a reprint of the last moment has 7 days of its own; none is made later, also while the document is still there', async () => {
  proves('reprint.own-copy')
  const { jobs, add, reprint, advanceDays, keep, documents } = await start()
  const original = await add()
  jobs.advance(KEPT_DAYS * DAY_SECONDS - 1)
  await keep()
  const copy = await reprint(original)
  jobs.advance(1)
  expect(await documents()).toEqual([original, copy])
  await expect(reprint(original)).rejects.toEqual(EXPIRED)
  advanceDays(1)
  await keep()
  expect(await documents()).toEqual([copy])
  expect(await jobs.row(await reprint(copy))).toMatchObject({ has_inline_document: true, reprint_of: copy })
})

test.each<JobState>(['queued', 'sent'])(
  'a day of small documents stays while a job in %s has one of them, and goes when the job has ended',
  async (state) => {
    const { jobs, add, advanceDays, keep, documents } = await start()
    const ids = [await add(), await add(state)]
    advanceDays(3 * KEPT_DAYS)
    await keep()
    const younger = await add()
    expect(await documents()).toEqual([...ids.toSorted(), younger])
    await jobs.force(ids[1] ?? '', 'error')
    await keep()
    expect(await documents()).toEqual([younger])
  },
)

test.each<JobState>(['received', 'printing'])(
  'a job in %s, whose agent has the document, does not keep the documents of its day',
  async (state) => {
    const { add, advanceDays, keep, documents } = await start()
    await add(state)
    await add()
    advanceDays(KEPT_DAYS + 1)
    await keep()
    expect(await documents()).toEqual([])
  },
)

test('a small document that came when its day was not made yet is kept as long as others', async () => {
  const { jobs, add, advanceDays, keep, documents } = await start()
  advanceDays(2 * KEPT_DAYS)
  const [ended, queued] = [await add(), await add('queued')]
  advanceDays(KEPT_DAYS)
  await keep()
  expect(await documents()).toEqual([ended, queued].toSorted())
  advanceDays(1)
  await keep()
  expect(await documents()).toEqual([ended, queued].toSorted())
  await jobs.force(queued, 'done')
  await keep()
  expect(await documents()).toEqual([])
})
