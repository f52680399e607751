import { create } from '@bufbuild/protobuf'
import { DeleteOrganizationRequestSchema } from '@platen/proto/gen/platen/operators/v1/organizations_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { createSubmissions } from '../../rpc/create-submission.ts'
import { deleteOrganization } from '../../rpc/delete-organization.ts'
import { createOneJob, jobCreation, startTestJobs } from '../start-test-jobs.ts'

test('the deletion of an organization removes its jobs with their files, keys and counts, and nothing of others', async () => {
  const jobs = await startTestJobs()
  const createSubmission = createSubmissions(jobs)
  const [organizationId, other] = [uuidv7(), uuidv7()]
  const facts = { mode: 'live', metadata: { order: '7' }, idempotency: { key: 'k', bodyHashes: [Buffer.alloc(32)] } }
  const inline = { sizeBytes: 1n, sha256: 'ab'.repeat(32), content: Buffer.from('a') }
  const files: string[] = []
  for (const id of [organizationId, other]) {
    const creation = jobCreation(jobs, { ...facts, organizationId: id })
    await createOneJob(jobs, creation)
    await createOneJob(jobs, jobCreation(jobs, { organizationId: id, document: { case: 'stored', value: inline } }))
    const submission = { organizationId: id, mode: 'live', createdBy: 'print_access:1', id: uuidv7(), title: 'Report' }
    await createSubmission({ ...submission, printerId: uuidv7() } as never)
    // No replica fetches it, because another one has its lease.
    await jobs.pool.query(
      `INSERT INTO jobs.document_fetch
         (job_id, organization_id, host_digest, encrypted_source, created_at, leased_until)
       VALUES ($1, $2, '', '', $3, 'infinity')`,
      [creation.jobId, id, jobs.clock.now()],
    )
    await jobs.pool.query('INSERT INTO jobs.removal (job_id, computer_id, created_at) VALUES ($1, $2, $3)', [
      ...[creation.jobId, creation.computerId, jobs.clock.now()],
    ])
    if (id === organizationId && creation.document.case === 'stored') files.push(creation.document.value.storageKey)
  }
  const tables = ['job', 'idempotency_key', 'job_metadata', 'creation_count', 'job_number', 'ipp_submission'] as const
  const ofJob = ['job_event', 'document', 'document_fetch', 'removal'] as const
  async function count(id: string) {
    const counts = [
      ...tables.map((table) => `(SELECT count(*)::int FROM jobs.${table} WHERE organization_id = $1) AS ${table}`),
      ...ofJob.map(
        (table) =>
          `(SELECT count(*)::int FROM jobs.${table} JOIN jobs.job ON job.id = job_id
            WHERE job.organization_id = $1) AS ${table}`,
      ),
    ]
    return (await jobs.pool.query<Record<string, number>>(`SELECT ${counts.join(', ')}`, [id])).rows[0] ?? {}
  }
  const before = await count(other)
  for (const table of [...tables, ...ofJob]) expect(before[table], table).toBeGreaterThan(0)
  const deleted: string[] = []
  const store = { delete: async (key: string) => void deleted.push(key) }
  const remove = () => deleteOrganization(jobs, store, create(DeleteOrganizationRequestSchema, { organizationId }))
  expect((await remove()).removed).toMatchObject({ ...before, file: 1 })
  expect(deleted).toEqual(files)
  expect(Object.values((await remove()).removed).every((n) => n === 0)).toBe(true)
  expect(Object.values(await count(organizationId)).every((n) => n === 0)).toBe(true)
  expect(await count(other)).toEqual(before)
})

test('a call removes at most 1,000 keys and pairs of metadata of the organization, until none is left', async () => {
  const jobs = await startTestJobs()
  const [other, organizationId] = [uuidv7(), uuidv7()]
  for (const id of [other, organizationId]) {
    await jobs.pool.query(
      `INSERT INTO jobs.idempotency_key (organization_id, mode, key, body_hash, job_id, created_at)
       SELECT $1, 'live', $3::text || n, ''::bytea, $1, $2 FROM generate_series(1, 1001) AS n`,
      [id, jobs.clock.now(), id],
    )
    await jobs.pool.query(
      `INSERT INTO jobs.job_metadata (organization_id, mode, value, key, id)
       SELECT $1, 'live', n::text, 'order', uuidv7() FROM generate_series(1, 1001) AS n`,
      [id],
    )
  }
  const store = { delete: async () => undefined }
  const remove = (id: string) =>
    deleteOrganization(jobs, store, create(DeleteOrganizationRequestSchema, { organizationId: id }))
  for (const count of [1_000, 1, 0])
    expect((await remove(organizationId)).removed).toMatchObject({ idempotency_key: count, job_metadata: count })
  expect((await remove(other)).removed).toMatchObject({ idempotency_key: 1_000, job_metadata: 1_000 })
})
