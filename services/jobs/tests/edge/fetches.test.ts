import type { RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { copyJob } from '@platen/test/harness/copy-job.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { startTcpProxy } from '@platen/test/harness/tcp-proxy.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { startOwnWorld } from '@platen/test/harness/world.ts'
import { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { LEASE, LEASE_BEYOND_DEADLINE_MS, leaseFetches } from '../../fetches/lease-fetches.ts'
import { heldServer, PDF, sendPdf, startTestFetches } from '../start-test-fetches.ts'
import { createOneJob, jobCreation, startOwnTestJobs } from '../start-test-jobs.ts'

test('the deadline is for the whole fetch, and a fetch that exceeds it ends the job in error', async () => {
  proves('fetch.30s', 'state-reason.fetch-timeout', 'fetch.whole')
  const trickle: RequestListener = (request, response) =>
    void (request.headers.host?.startsWith('trickle') && response.write(PDF))
  const world = await startOwnWorld({ jobs: { fetchTimeoutMs: 1_500 } })
  const { create, failed } = await startTestFetches(trickle, world)
  const jobs = [await create({ host: 'silent' }), await create({ host: 'trickle' }), await create({ host: 'allowed' })]
  const [silent, trickled, inside] = await Promise.all(jobs.map(({ id }) => failed(id)))
  for (const row of [silent, trickled])
    expect(row).toMatchObject({
      state_reasons: ['fetch-timeout'],
      state_message: expect.stringMatching(/within 1.5 seconds/),
      storage_key: null,
    })
  expect(inside).toMatchObject({ state_reasons: ['fetch-failed'], state_message: 'The file could not be fetched.' })
})

test('an operator can show the cause of fetches that fail in an allowed network', async () => {
  proves('allowed.details')
  const world = await startOwnWorld({ jobs: { allowedNetworksDetails: true } })
  const { create, failed } = await startTestFetches((_, response) => void response.writeHead(404).end(), world)
  const jobs = [await create({ host: 'allowed' }), await create({ host: 'allowed-and-down' })]
  const [missing, down] = await Promise.all(jobs.map(({ id }) => failed(id)))
  expect(missing?.state_message).toBe('The server answered with status 404.')
  expect(down?.state_message).toBe('The connection to the server of the URL failed.')
})

test('a replica that stops leaves its fetches to another one at once', async () => {
  const { answer, waiting, waits } = heldServer()
  const world = await startOwnWorld()
  const { create, fetched, getStored } = await startTestFetches(answer, world)
  const job = await create()
  await waits(1)
  await world.addReplica.jobs()
  await world.processes.jobs.stop()
  await waits(2)
  waiting[1]?.end(PDF)
  await fetched(job.id, { storage_key: `${job.id}-2` })
  expect(await getStored(job.id)).toEqual([PDF])
})

test('the fetch of a replica that died is repeated when its lease is over, and its remains are deleted', async () => {
  const world = await startOwnWorld()
  const { create, fetched, jobs, getStored } = await startTestFetches(sendPdf, world)
  await world.processes.jobs.stop()
  const job = await create({}, false)
  const leaseMs = 30_000 + LEASE_BEYOND_DEADLINE_MS
  const until = new Date(world.clock.now().getTime() + leaseMs)
  await world.query('UPDATE jobs.document_fetch SET attempt = 1, leased_until = $1', [until])
  await world.files.write(`${job.id}-1`, Readable.from([Buffer.from('half')]))
  await world.addReplica.jobs()
  expect(await jobs.row(job.id)).toMatchObject({ storage_key: null })
  world.advance(leaseMs)
  await fetched(job.id, { storage_key: `${job.id}-2` })
  expect(await getStored(job.id)).toEqual([PDF])
})

test('a database connection that breaks while a replica waits for the lease lock is an error, not a crash', async () => {
  const jobs = await startOwnTestJobs()
  const url = new URL(jobs.databaseUrl)
  const port = await freePort()
  const proxy = await startTcpProxy({ host: '127.0.0.1', port }, { host: url.hostname, port: Number(url.port) })
  onTestFinished(() => proxy.close())
  const pool = new Pool({ connectionString: Object.assign(url, { host: `127.0.0.1:${port}` }).href })
  onTestFinished(() => pool.end())
  const holder = await jobs.pool.connect()
  await holder.query(`SELECT pg_advisory_lock(hashtext('platen jobs.document_fetch'))`)
  const now = jobs.clock.now()
  const leasing = expect(leaseFetches(pool, { now, createdAfter: now, limit: 1, deadlineMs: 30_000 })).rejects.toThrow()
  await waitFor(async () => {
    const waiting = await jobs.pool.query(
      `SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()`,
    )
    expect(waiting.rowCount).toBe(1)
  })
  proxy.reset()
  await leasing
  await holder.query('SELECT pg_advisory_unlock_all()')
  holder.release()
})

test('a lease reads 8 waiting fetches of each organization, however many wait, and takes none that is too old', async () => {
  const jobs = await startOwnTestJobs()
  const addFetch = async (organizationId: string) => {
    const value = { url: 'http://files.example.com/invoice.pdf' }
    return (await createOneJob(jobs, jobCreation(jobs, { organizationId, document: { case: 'fetch', value } }))).id
  }
  const greedy = await addFetch(uuidv7())
  await copyJob(jobs.pool, greedy, 2_000)
  await jobs.pool.query(
    `INSERT INTO jobs.document_fetch (job_id, organization_id, host_digest, encrypted_source, created_at)
     SELECT job.id, job.organization_id, host_digest, encrypted_source, job.created_at + interval '1 ms'
     FROM jobs.job, jobs.document_fetch WHERE job.id <> job_id`,
  )
  const modest = [await addFetch(uuidv7()), await addFetch(uuidv7())]
  const now = jobs.clock.now()
  const createdAfter = new Date(now.getTime() - 60_000)
  const values = [now, new Date(now.getTime() + 60_000), createdAfter, 3]
  const { rows } = await jobs.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${LEASE}`, values)
  const read = [...JSON.stringify(rows).matchAll(/"(?:Actual Rows|Rows Removed by Filter)":([\d.]+)/g)]
  expect(Math.max(...read.map(([, count]) => Number(count)))).toBeLessThan(30)
  await jobs.pool.query('UPDATE jobs.document_fetch SET leased_until = NULL')
  const newest = new Date(now.getTime() + 1)
  expect(await leaseFetches(jobs.pool, { now, createdAfter: newest, limit: 3, deadlineMs: 30_000 })).toEqual([])
  const leased = await leaseFetches(jobs.pool, { now, createdAfter, limit: 3, deadlineMs: 30_000 })
  expect(leased.map(({ jobId }) => jobId).toSorted()).toEqual([greedy, ...modest].toSorted())
})
