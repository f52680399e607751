import { create } from '@bufbuild/protobuf'
import { DeleteOrganizationRequestSchema } from '@platen/proto/gen/platen/operators/v1/organizations_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { deleteOrganization } from '../../rpc/delete-organization.ts'
import { createOneJob, jobCreation, startTestJobs } from '../start-test-jobs.ts'

test('the deletion of an organization removes its jobs with their files, keys and counts, and nothing of others', async () => {
  const jobs = await startTestJobs()
  const [organizationId, other] = [uuidv7(), uuidv7()]
  const facts = { mode: 'live', metadata: { order: '7' }, idempotency: { key: 'k', bodyHashes: [Buffer.alloc(32)] } }
  const inline = { sizeBytes: 1n, sha256: 'ab'.repeat(32), content: Buffer.from('a') }
  const files: string[] = []
  for (const id of [organizationId, other]) {
    const creation = jobCreation(jobs, { ...facts, organizationId: id })
    await createOneJob(jobs, creation)
    await createOneJob(jobs, jobCreation(jobs, { organizationId: id, document: { case: 'stored', value: inline } }))
    if (id === organizationId && creation.document.case === 'stored') files.push(creation.document.value.storageKey)
  }
  const tables = ['job', 'idempotency_key', 'job_metadata', 'creation_count', 'job_number'] as const
  const ofJob = ['job_event', 'document'] as const
  async function count(id: string) {
    const counts = [
      ...tables.map((table) => `(SELECT count(*)::int FROM jobs.${table} WHERE organization_id = $1) AS ${table}`),
      ...ofJob.map(
        (table) =>
          `(SELECT count(*)::int FROM jobs.${table} JOIN jobs.job ON job.id = job_id
            WHERE organization_id = $1) AS ${table}`,
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
