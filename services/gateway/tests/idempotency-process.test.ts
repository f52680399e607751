/** A gateway that dies in the middle of a creation with an `Idempotency-Key`. */
import { createApi } from '@platen/test/harness/api.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { beginUpload } from './begin-upload.ts'
import { expectError } from './expect-error.ts'
import { startGatewayProcess } from './start-gateway-process.ts'
import { startTestCreation, type TestCreation } from './start-test-creation.ts'
import { printJob } from './start-test-gateway.ts'

const LEASE_SECONDS = 150

async function startReplica({ services: { config } }: TestCreation) {
  const gateway = await startGatewayProcess(config)
  await gateway.isUp()
  return gateway
}

test('a gateway killed during an upload keeps the key from nobody for longer than the lease, and there is one job', async () => {
  const creation = await startTestCreation()
  const { baseUrl, kill } = await startReplica(creation)
  beginUpload(baseUrl, creation.key, 'k')
  await waitFor(async () => expect(await creation.keyCount()).toBe(1))
  await kill()
  const retry = () => creation.api.post('/v1/printjobs', printJob(), { 'idempotency-key': 'k' })
  expectError(await retry(), 409, 'idempotency_in_progress')
  creation.clock.advanceSeconds(LEASE_SECONDS)
  const { status, headers, body } = await retry()
  expect([status, headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(await creation.jobIds()).toEqual([body.id])
})

test('a gateway that comes back answers the client of one that was killed with its job', async () => {
  const creation = await startTestCreation()
  const { baseUrl, kill } = await startReplica(creation)
  const created = await createApi(baseUrl, creation.key).post('/v1/printjobs', printJob(), { 'idempotency-key': 'k' })
  await kill()
  const again = await startReplica(creation)
  const api = createApi(again.baseUrl, creation.key)
  const { headers, body } = await api.post('/v1/printjobs', printJob(), { 'idempotency-key': 'k' })
  expect([body.id, headers.get('idempotent-replayed')]).toEqual([created.body.id, 'true'])
})
