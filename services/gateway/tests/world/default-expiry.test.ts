import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'

test('a job without `expireAfter` has that of its printer, in a batch and a validation as well', async () => {
  proves('create.expireAfter.printer', 'printer.defaultExpireAfter', 'print-job.expireAfter')
  const { api, addPrinter } = await newOrganization()
  const [till, laser] = [await addPrinter(), await addPrinter('live', { name: 'Other', state: 'offline' })]
  const read = async (...jobs: object[]) =>
    (await api.post('/v1/printjobs/batches', { jobs })).body.jobs.map((job: { expireAfter: number }) => job.expireAfter)
  expect((await api.get(`/v1/printers/${till.id}`)).body.defaultExpireAfter).toBeNull()
  expect((await api.createJob(printJob(till.id))).expireAfter).toBe(86_400)
  await api.patch(`/v1/printers/${till.id}`, { defaultExpireAfter: 3600 })
  const job = await api.createJob(printJob(till.id))
  expect(Date.parse(job.expiresAt) - Date.parse(job.createdAt)).toBe(3_600_000)
  expect(await read(printJob(till.id), printJob(till.id, { expireAfter: 60 }), printJob(laser.id))).toEqual([
    3600, 60, 86_400,
  ])
  await api.patch(`/v1/printers/${till.id}`, { defaultExpireAfter: null })
  expect(await read(printJob(till.id))).toEqual([86_400])
  const { content: _, ...unsent } = printJob(laser.id)
  const readWarning = async () => (await api.post('/v1/printjobs/validate', unsent)).body.warnings.at(-1).message
  const before = await readWarning()
  await api.patch(`/v1/printers/${laser.id}`, { defaultExpireAfter: 600 })
  expect(await readWarning()).not.toBe(before)
})
