/** A gateway that dies in the middle of a creation with an `Idempotency-Key`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createApi } from '@platen/test/harness/api.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import { beginUpload } from './begin-upload.ts'
import { expectError } from './expect-error.ts'
import { startTestCreation, type TestCreation } from './start-test-creation.ts'
import { printJob } from './start-test-gateway.ts'

const MAIN = new URL('../main.ts', import.meta.url).pathname
const LEASE_SECONDS = 150

async function startGatewayProcess({ services: { config } }: TestCreation) {
  const port = await freePort()
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      PLATEN_HOST: '127.0.0.1',
      PLATEN_PORT: String(port),
      PLATEN_RPC_SECRET: config.rpcSecret,
      PLATEN_ACCOUNTS_URL: config.accountsUrl,
      PLATEN_JOBS_URL: config.jobsUrl,
      PLATEN_DEVICES_URL: config.devicesUrl,
      PLATEN_FILE_STORE_URL: config.fileStoreUrl,
    },
  })
  const exited = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  const baseUrl = `http://127.0.0.1:${port}`
  await waitFor(async () => expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200))
  return { baseUrl, kill }
}

test('a gateway killed during an upload keeps the key from nobody for longer than the lease, and there is one job', async () => {
  const creation = await startTestCreation()
  const { baseUrl, kill } = await startGatewayProcess(creation)
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
  const { baseUrl, kill } = await startGatewayProcess(creation)
  const created = await createApi(baseUrl, creation.key).post('/v1/printjobs', printJob(), { 'idempotency-key': 'k' })
  await kill()
  const again = await startGatewayProcess(creation)
  const api = createApi(again.baseUrl, creation.key)
  const { headers, body } = await api.post('/v1/printjobs', printJob(), { 'idempotency-key': 'k' })
  expect([body.id, headers.get('idempotent-replayed')]).toEqual([created.body.id, 'true'])
})
