import { createHash } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import {
  ClaimJobsRequestSchema,
  CreateJobsRequestSchema,
  GetDocumentRequestSchema,
  type JobCreation,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createJobs as createRows } from '../../create-jobs.ts'
import { claimJobs } from '../../rpc/claim-jobs.ts'
import { createJobs } from '../../rpc/create-jobs.ts'
import { getDocument } from '../../rpc/get-document.ts'
import { createTestAgent } from '../create-test-agent.ts'
import { type CreationFacts, createOneJob, jobCreation, sampleJob, startTestJobs } from '../start-test-jobs.ts'

const CLAIM_MAX_BYTES = 512 * 1024

async function start() {
  const jobs = await startTestJobs()
  const tenant = { organizationId: uuidv7(), mode: 'live' }
  const creation = (facts: CreationFacts = {}) => jobCreation(jobs, { ...tenant, ...facts })
  const createAll = async (creations: JobCreation[]) =>
    (await createJobs(jobs, create(CreateJobsRequestSchema, { creations }))).results
  return {
    jobs,
    tenant,
    creation,
    createAll,
    count: async () =>
      (await jobs.pool.query('SELECT FROM jobs.job WHERE organization_id = $1', [tenant.organizationId])).rowCount,
  }
}

/** A small document. */
function inline(content: Buffer): Pick<CreationFacts, 'document'> {
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { document: { case: 'stored', value: { storageKey: '', sizeBytes: BigInt(content.length), sha256, content } } }
}

test('a creation that is refused does not keep the others of its call from being created, and results are in the order of the creations', async () => {
  const { jobs, creation, createAll, count } = await start()
  const [first, last] = [creation({ title: 'first' }), creation({ title: 'last' })]
  const results = await createAll([
    first,
    creation({ jobId: 'no UUID' }),
    creation({ document: { case: 'reprintOf', value: uuidv7() } }),
    creation({ organizationId: uuidv7(), printsLimit: 0 }),
    last,
  ])
  expect(results.map(({ result }) => result.value)).toMatchObject([
    { id: first.jobId, title: 'first', state: 'queued' },
    { code: 'invalid_request' },
    { code: 'not_found' },
    { code: 'quota_exceeded' },
    { id: last.jobId, title: 'last', state: 'queued' },
  ])
  expect(jobs.announced).toEqual([first.jobId, last.jobId])
  expect(await count()).toBe(2)
})

test('a call that names a job twice creates nothing', async () => {
  const { creation, createAll, count } = await start()
  const twice = creation()
  await expect(createAll([creation(), twice, twice])).rejects.toMatchObject({ code: 'invalid_request' })
  expect(await count()).toBe(0)
})

describe('a creation whose id or key another transaction is just using', () => {
  const idempotency = { key: 'k', bodyHashes: [Buffer.from('the body')] }

  async function startOpen(kind: 'id' | 'key') {
    const started = await start()
    const { jobs, tenant, creation } = started
    const other = { ...sampleJob(jobs.clock.now()), ...tenant, idempotency }
    const client = await jobs.pool.connect()
    onTestFinished(() => client.release())
    await client.query('BEGIN')
    await createRows(client as unknown as Pool, [other])
    return { ...started, client, other, conflicting: creation(kind === 'id' ? { jobId: other.id } : { idempotency }) }
  }

  test.each(['id', 'key'] as const)('waits for it, and leads to its job: the %s', async (kind) => {
    const { jobs, client, other, conflicting, createAll, count } = await startOpen(kind)
    const creating = createAll([conflicting])
    await untilBlocked(jobs.pool)
    await client.query('COMMIT')
    expect(await creating).toMatchObject([{ result: { value: { id: other.id } }, replayed: kind === 'key' }])
    expect(await count()).toBe(1)
  })

  test('is refused when the key is for another body', async () => {
    const { jobs, client, conflicting, createAll, count } = await startOpen('key')
    conflicting.idempotency = { ...conflicting.idempotency, key: 'k', bodyHashes: [Buffer.from('other')] } as never
    const creating = createAll([conflicting])
    await untilBlocked(jobs.pool)
    await client.query('COMMIT')
    expect(await creating).toMatchObject([{ result: { value: { code: 'idempotency_key_reused' } } }])
    expect(await count()).toBe(1)
  })

  test.each(['id', 'key'] as const)('creates its job when that one is rolled back: the %s', async (kind) => {
    const { jobs, client, conflicting, createAll, count } = await startOpen(kind)
    const creating = createAll([conflicting])
    await untilBlocked(jobs.pool)
    await client.query('ROLLBACK')
    expect(await creating).toMatchObject([{ result: { value: { id: conflicting.jobId } }, replayed: false }])
    expect(await count()).toBe(1)
  })

  test.each(['id', 'key'] as const)(
    'fails its whole call, whose creations then succeed one by one: the %s',
    async (kind) => {
      const { jobs, client, other, conflicting, creation, createAll, count } = await startOpen(kind)
      const creations = [creation(), conflicting, creation()]
      const failing = expect(createAll(creations)).rejects.toMatchObject({ code: '23505' })
      await untilBlocked(jobs.pool)
      await client.query('COMMIT')
      await failing
      expect(await count()).toBe(1)
      const ids = await Promise.all(creations.map(async (one) => (await createOneJob(jobs, one)).id))
      expect(ids).toEqual([creations[0]?.jobId, other.id, creations[2]?.jobId])
      expect(await count()).toBe(3)
    },
  )
})

describe('small documents', () => {
  /** A computer with a stream, and jobs with documents of these sizes. */
  async function startInline(...sizes: number[]) {
    const started = await start()
    const { jobs, creation } = started
    const agent = createTestAgent(jobs)
    const { computerId } = agent
    await agent.hello(1n)
    const documents = sizes.map((size, n) => Buffer.alloc(size, `${n}`))
    const ids: string[] = []
    for (const document of documents)
      ids.push((await createOneJob(jobs, creation({ computerId, ...inline(document) }))).id)
    const request = create(ClaimJobsRequestSchema, {
      claims: [{ computerId, epoch: 1n, limit: 100, queuedOnly: true }],
    })
    return {
      ...started,
      agent,
      ids,
      documents,
      claim: async () => (await claimJobs(jobs, request)).jobs,
      download: (jobId: string) => getDocument(jobs, create(GetDocumentRequestSchema, { computerId, jobId })),
    }
  }

  test('travel with the claim of their jobs, and can be downloaded after it, too', async () => {
    const { claim, download, ids, documents } = await startInline(65_536, 1)
    const claimed = await claim()
    expect(claimed.map(({ content }) => Buffer.from(content ?? []))).toEqual(documents)
    for (const [n, id] of ids.entries()) {
      const { storageKey, content, fileSizeBytes, fileSha256 } = await download(id)
      expect(Buffer.from(content ?? []).equals(documents[n] ?? Buffer.alloc(0))).toBe(true)
      expect([storageKey, fileSizeBytes, fileSha256]).toEqual(['', claimed[n]?.fileSizeBytes, claimed[n]?.fileSha256])
    }
  })

  test('of 512 KiB travel with one claim, in the order of their jobs; one byte more is downloaded', async () => {
    const sizes = [...Array<number>(7).fill(65_536), 65_535, 2, 1]
    const { claim, download, ids } = await startInline(...sizes)
    const claimed = await claim()
    const carried = claimed.map(({ content }) => content?.length ?? 0)
    expect(carried).toEqual([...sizes.slice(0, 8), 0, 1])
    expect(carried.reduce((sum, bytes) => sum + bytes)).toBe(CLAIM_MAX_BYTES)
    expect((await download(ids[8] ?? '')).content).toHaveLength(2)
  })

  test('are given to the first claim alone; a resend downloads its document', async () => {
    const { jobs, agent, claim, ids } = await startInline(10)
    expect((await claim())[0]?.content).toHaveLength(10)
    await agent.hello(2n)
    const claims = [{ computerId: agent.computerId, epoch: 2n, limit: 1 }]
    const again = await claimJobs(jobs, create(ClaimJobsRequestSchema, { claims }))
    expect(again.jobs.map(({ jobId, content }) => [jobId, content.length])).toEqual([[ids[0], 0]])
  })

  test('are given to the computer of their job alone, once it was sent there', async () => {
    const { jobs, claim, download, ids } = await startInline(10)
    const [jobId = ''] = ids
    await expect(download(jobId)).rejects.toMatchObject({ code: 'not_found' })
    await claim()
    expect((await download(jobId)).content).toHaveLength(10)
    const foreign = create(GetDocumentRequestSchema, { computerId: uuidv7(), jobId })
    await expect(getDocument(jobs, foreign)).rejects.toMatchObject({ code: 'not_found' })
    await jobs.force(jobId, 'done')
    await expect(download(jobId)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('are copied for a reprint, which has the size, digest and type of the original', async () => {
    const { jobs, creation, agent, claim, download, ids } = await startInline(10)
    await claim()
    const { computerId } = agent
    const reprint = creation({ computerId, contentType: '', document: { case: 'reprintOf', value: ids[0] ?? '' } })
    const copy = await createOneJob(jobs, reprint)
    const { file_sha256 } = await jobs.row(ids[0] ?? '')
    expect(copy).toMatchObject({ contentType: 'pdf_base64', fileSize: 10n, fileSha256: file_sha256 })
    expect(await jobs.row(copy.id)).toMatchObject({ reprint_of: ids[0], storage_key: null, has_inline_document: true })
    // The original's document may go before the reprint's.
    await jobs.pool.query('DELETE FROM jobs.document WHERE job_id = $1', [ids[0]])
    expect((await claim()).map(({ jobId, content }) => [jobId, content?.length])).toEqual([[copy.id, 10]])
    expect((await download(copy.id)).content).toHaveLength(10)
    const late = creation({ document: { case: 'reprintOf', value: ids[0] ?? '' } })
    await expect(createOneJob(jobs, late)).rejects.toMatchObject({ code: 'file_expired' })
  })
})
