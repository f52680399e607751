import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { expectError } from '../client.ts'

const DAY_MS = 24 * 60 * 60 * 1000

async function startShop() {
  const organization = await newOrganization()
  const printer = await organization.addPrinter()
  return {
    ...organization,
    job: (facts: Record<string, unknown>) => printJob(printer.id, facts),
    at: (ms: number) => new Date(organization.world.clock.now().getTime() + ms).toISOString(),
  }
}

test('`hold` and `notBefore` hold a job back, and its explanation says so', async () => {
  proves('create.hold', 'create.notBefore', 'print-job.notBefore', 'endpoint.POST.printjobs.id.release')
  const { api, job, at } = await startShop()
  const held = await api.createJob(job({ hold: true }))
  expect(held).toMatchObject({ state: 'queued', stateReasons: ['held'], notBefore: null })
  const explain = async ({ id }: { id: string }) => (await api.get(`/v1/printjobs/${id}/explanation`)).body
  expect(await explain(held)).toMatchObject({ code: 'held', paper: 'not_yet' })
  const released = await api.post(`/v1/printjobs/${held.id}/release`, {})
  expect([released.status, released.body.stateReasons]).toEqual([200, []])
  const notBefore = at(DAY_MS)
  const scheduled = await api.createJob(job({ notBefore, expireAfter: 60 }))
  expect(scheduled).toMatchObject({ stateReasons: ['scheduled'], notBefore, expiresAt: at(DAY_MS + 60_000) })
  expect(await explain(scheduled)).toMatchObject({ code: 'scheduled' })
})

test('`notBefore` is at most 7 days ahead, in a validation as well', async () => {
  proves('scheduled.7-days', 'scheduled.later')
  const { api, job, at } = await startShop()
  expect((await api.post('/v1/printjobs', job({ notBefore: at(7 * DAY_MS) }))).status).toBe(201)
  const late = job({ notBefore: at(7 * DAY_MS + 1) })
  expectError(await api.post('/v1/printjobs', late), 400, 'invalid_request', /`notBefore`: must be at most 7 days/)
  const { content: _, ...unsent } = late
  const { body } = await api.post('/v1/printjobs/validate', unsent)
  expect(body).toMatchObject({ refusal: { code: 'invalid_request' } })
  expectError(await api.post('/v1/printjobs', job({ notBefore: 'tomorrow' })), 400, 'invalid_request', /`notBefore`/)
})
