import { createHash } from 'node:crypto'
import type { RequestListener, ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { startTcpProxy } from '@platen/test/harness/tcp-proxy.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { askedChanges, changeStates } from '../change-state.ts'
import { readConfig } from '../config.ts'
import { FETCHES_MAX } from '../fetches/fetcher.ts'
import {
  FETCHES_OF_HOST_MAX,
  FETCHES_OF_ORGANIZATION_MAX,
  LEASE_BEYOND_DEADLINE_MS,
  leaseFetches,
} from '../fetches/lease-fetches.ts'
import { sweepExpired } from '../timers/sweep-expired.ts'
import { sweepFetches } from '../timers/sweep-fetches.ts'
import { startTestFetches } from './start-test-fetches.ts'

const PDF = '%PDF-1.7\n%%EOF\n'
const LIMIT_BYTES = 26_214_400
const sendPdf: RequestListener = (_request, response) => void response.end(PDF)
/** Holds all requests until the test answers them. */
function heldServer() {
  const waiting: ServerResponse[] = []
  const hosts: string[] = []
  const answer: RequestListener = (request, response) => {
    waiting.push(response)
    hosts.push(request.headers.host ?? '')
  }
  return { answer, waiting, hosts }
}

test('a document is fetched once, right after the creation, and is kept with its size and digest', async () => {
  let requests = 0
  const fetches = await startTestFetches((_request, response) => {
    requests++
    response.end(PDF)
  })
  fetches.startFetcher()
  const job = await fetches.create()
  expect(job).toMatchObject({ state: 'queued', contentType: 'pdf_uri' })
  expect([job.fileSizeBytes, job.fileSha256]).toEqual([undefined, undefined])
  await waitFor(async () => expect(await fetches.claim()).toEqual([job.id]))
  expect(await fetches.row(job.id)).toMatchObject({
    file_size_bytes: PDF.length,
    file_sha256: createHash('sha256').update(PDF).digest('hex'),
  })
  const [file = '', ...others] = await fetches.storedFiles()
  expect({ content: await fetches.readStored(file), others }).toEqual({ content: PDF, others: [] })
  expect(requests).toBe(1)
  expect(await fetches.heldFetches()).toBe(0)
  await waitFor(() => expect(fetches.jobs.woken).toContain(fetches.computerId))
})

test('a database connection that breaks while fetches are looked for is an error like any other', async () => {
  const { jobs } = await startTestFetches(sendPdf)
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

test('the credentials are sent as HTTP Basic, in UTF-8', async () => {
  let authorization: string | undefined
  const fetches = await startTestFetches((request, response) => {
    authorization = request.headers.authorization
    response.end(PDF)
  })
  fetches.startFetcher()
  await fetches.create({ credentials: { user: 'jürgen', password: 'a:b' } })
  await waitFor(() => expect(authorization).toBe(`Basic ${Buffer.from('jürgen:a:b').toString('base64')}`))
})

describe('URL and credentials', () => {
  const credentials = { user: 'canary-user', password: 'canary-password' }

  test('are in no table that can be read, and gone with the end of the fetch, whether it succeeds or fails', async () => {
    const { answer, waiting } = heldServer()
    const fetches = await startTestFetches(answer)
    fetches.startFetcher()
    for (const _ of ['succeeds', 'fails']) await fetches.create({ credentials })
    await waitFor(() => expect(waiting).toHaveLength(2))
    const dump = async () => {
      const tables = await fetches.jobs.pool.query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'jobs'`,
      )
      expect(tables.rows.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['job', 'job_event', 'outbox', 'document_fetch', 'idempotency_key']),
      )
      const texts = await Promise.all(
        tables.rows.map(({ name: table }) =>
          fetches.jobs.pool.query(`SELECT t::text, encode(convert_to(t::text, 'UTF8'), 'escape') FROM jobs.${table} t`),
        ),
      )
      const { rows } = await fetches.jobs.pool.query(
        `SELECT encode(sealed_source, 'escape') AS text FROM jobs.document_fetch`,
      )
      return JSON.stringify([texts.map((result) => result.rows), rows])
    }
    const held = await dump()
    for (const secret of ['canary', 'secret-path', 'secret-token', 'files.example.com'])
      expect(held).not.toContain(secret)
    expect(await fetches.heldFetches()).toBe(2)
    waiting[0]?.end(PDF)
    waiting[1]?.writeHead(500).end()
    await waitFor(async () => expect(await fetches.heldFetches()).toBe(0))
  })

  test('are held for 55 of the 60 minutes: then they are gone, and the job ends in error', async () => {
    const fetches = await startTestFetches(sendPdf)
    const job = await fetches.create({ credentials })
    fetches.jobs.clock.advanceSeconds(55 * 60 - 1)
    await sweepFetches(fetches.jobs, fetches.files)
    expect(await fetches.heldFetches()).toBe(1)
    fetches.jobs.clock.advanceSeconds(1)
    await sweepFetches(fetches.jobs, fetches.files)
    expect(await fetches.heldFetches()).toBe(0)
    expect(await fetches.row(job.id)).toMatchObject({ state: 'error', state_reasons: ['fetch-timeout'] })
  })

  test('sealed for one job cannot be opened for another', async () => {
    const fetches = await startTestFetches(sendPdf)
    const [one, other] = [await fetches.create(), await fetches.create()]
    await fetches.jobs.pool.query(
      `UPDATE jobs.document_fetch SET sealed_source = (SELECT sealed_source FROM jobs.document_fetch WHERE job_id = $1) WHERE job_id = $2`,
      [one.id, other.id],
    )
    fetches.startFetcher()
    await waitFor(async () => expect(await fetches.jobs.stateOf(other.id)).toBe('error'))
    await waitFor(async () => expect(await fetches.row(one.id)).toMatchObject({ file_size_bytes: PDF.length }))
  })
})

describe('a fetch that fails ends the job in error with a reason of a fixed list, and leaves no file, when', () => {
  test.each<[string, RequestListener, string, RegExp]>([
    [
      'the server answers 404',
      (_, response) => void response.writeHead(404).end('inside'),
      'fetch-failed',
      /status 404/,
    ],
    ['the server answers 500', (_, response) => void response.writeHead(500).end(), 'fetch-failed', /status 500/],
    [
      'the server redirects',
      (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      'fetch-failed',
      /redirect/,
    ],
    ['the server breaks off', (_, response) => void response.destroy(), 'fetch-failed', /not valid, or ended before/],
    [
      'the server packs the file',
      (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      'fetch-failed',
      /content encoding/,
    ],
    ['the file is no PDF', (_, response) => void response.end('<html>%PDF-'), 'document-format-error', /not a PDF/],
    [
      'the file is shorter than the marker',
      (_, response) => void response.end('%PDF'),
      'document-format-error',
      /not a PDF/,
    ],
    ['the file is empty', (_, response) => void response.end(), 'document-format-error', /empty/],
    [
      'the file has 25 MB + 1 byte',
      (_, response) => void response.end(Buffer.alloc(LIMIT_BYTES + 1, PDF)),
      'content-too-large',
      /26214400/,
    ],
    [
      'the file has no end',
      (_, response) => {
        response.write(PDF)
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(1 << 16)));
        }
        response.on('drain', more)
        more()
      },
      'content-too-large',
      /26214400/,
    ],
    ['the server says nothing', () => undefined, 'fetch-timeout', /within 1.5 seconds/],
    ['the file trickles in', (_, response) => void response.write(PDF), 'fetch-timeout', /within 1.5 seconds/],
  ])('%s', async (_, answer, reason, message) => {
    // Nobody waits for 30 s; but a slow machine must get a file of 25 MB in time.
    const fetches = await startTestFetches(answer, reason === 'fetch-timeout' ? { deadlineMs: 1_500 } : {})
    fetches.startFetcher()
    const job = await fetches.create()
    await waitFor(async () => expect(await fetches.jobs.stateOf(job.id)).toBe('error'))
    const row = await fetches.row(job.id)
    expect(row).toMatchObject({ state_reasons: [reason], storage_key: null })
    expect(row.state_message).toMatch(message)
    expect(String(row.state_message)).not.toMatch(/inside|169\.254|secret|example/)
    expect(await fetches.jobs.eventActors(job.id)).toEqual(['api', 'system'])
    await waitFor(async () => expect(await fetches.storedFiles()).toEqual([]))
    await waitFor(async () => expect(await fetches.heldFetches()).toBe(0))
  })

  test('the server cannot be reached', async () => {
    const fetches = await startTestFetches(sendPdf)
    fetches.startFetcher()
    const job = await fetches.create({ host: 'down.example.com' })
    await waitFor(async () => expect(await fetches.jobs.stateOf(job.id)).toBe('error'))
    expect(await fetches.row(job.id)).toMatchObject({
      state_reasons: ['fetch-failed'],
      state_message: 'There is no connection to the server of the URL.',
    })
  })

  test('the host has an address that is refused by then, told as if it had none', async () => {
    const fetches = await startTestFetches(sendPdf)
    fetches.startFetcher()
    const job = await fetches.create({ host: 'inside.example.com' })
    await waitFor(async () => expect(await fetches.jobs.stateOf(job.id)).toBe('error'))
    expect(await fetches.row(job.id)).toMatchObject({
      state_reasons: ['fetch-failed'],
      state_message: 'The host of the URL has no public address, or has none any more.',
    })
  })
})

describe('a fetch from an allowed network', () => {
  test('that succeeds is as any other', async () => {
    const fetches = await startTestFetches(sendPdf)
    fetches.startFetcher()
    const job = await fetches.create({ host: 'allowed.example.com' })
    await waitFor(async () => expect(await fetches.row(job.id)).toMatchObject({ file_size_bytes: PDF.length }))
  })

  test.each<[string, string, RequestListener]>([
    ['the server answers 404', 'allowed', (_, response) => void response.writeHead(404).end()],
    ['the server redirects', 'allowed', (_, response) => void response.writeHead(302).end()],
    ['the server breaks off', 'allowed', (_, response) => void response.destroy()],
    ['the server says nothing', 'allowed', () => undefined],
    ['the file is no PDF', 'allowed', (_, response) => void response.end('<html>')],
    ['the file is empty', 'allowed', (_, response) => void response.end()],
    ['the file is too large', 'allowed', (_, response) => void response.end(Buffer.alloc(LIMIT_BYTES + 1, PDF))],
    ['nobody listens', 'allowed-and-down', sendPdf],
    ['the host has a public address too', 'both', (_, response) => void response.writeHead(404).end()],
  ])('that fails says nothing of what is inside: %s', async (_, host, answer) => {
    const fetches = await startTestFetches(answer, { deadlineMs: 1_500 })
    fetches.startFetcher()
    const job = await fetches.create({ host: `${host}.example.com` })
    await waitFor(async () => expect(await fetches.jobs.stateOf(job.id)).toBe('error'))
    expect(await fetches.row(job.id)).toMatchObject({
      state_reasons: ['fetch-failed'],
      state_message: 'The file could not be fetched.',
    })
    expect(await fetches.jobs.eventMessages(job.id)).toEqual([null, 'The file could not be fetched.'])
  })
})

describe('PLATEN_FETCH_TIMEOUT_SECONDS and PLATEN_FILE_RETENTION_SECONDS', () => {
  function read(settings: Record<string, string> = {}) {
    const needed = {
      PLATEN_RPC_LISTEN: '127.0.0.1:1',
      PLATEN_RPC_SECRET: 'a secret of the test',
      PLATEN_DATABASE_URL: 'postgres://127.0.0.1/jobs',
      PLATEN_NATS_URL: 'nats://127.0.0.1',
      PLATEN_FILE_STORE_URL: 'file:///files',
      PLATEN_FETCH_KEY: 'x'.repeat(43),
    }
    for (const [name, value] of Object.entries({ ...needed, ...settings })) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { fetchTimeoutMs, fetchHeldMs, fileRetentionMs } = readConfig()
    return [fetchTimeoutMs, fetchHeldMs, fileRetentionMs]
  }

  test('are 30 seconds, an hour and 7 days by default', () => expect(read()).toEqual([30_000, 3_600_000, 604_800_000]))

  test('are taken in seconds', () =>
    expect(
      read({
        PLATEN_FETCH_TIMEOUT_SECONDS: '300',
        PLATEN_FETCH_HELD_SECONDS: '600',
        PLATEN_FILE_RETENTION_SECONDS: '1',
      }),
    ).toEqual([300_000, 600_000, 1_000]))

  test.each([
    ['PLATEN_FETCH_TIMEOUT_SECONDS', '0'],
    ['PLATEN_FETCH_TIMEOUT_SECONDS', '301'],
    ['PLATEN_FETCH_HELD_SECONDS', '599'],
    ['PLATEN_FILE_RETENTION_SECONDS', '0'],
    ['PLATEN_FILE_RETENTION_SECONDS', '1.5'],
  ])('%s is not %s', (name, value) => expect(() => read({ [name]: value })).toThrow(name))
})

test('a file of 25 MB is kept', async () => {
  const fetches = await startTestFetches((_request, response) => void response.end(Buffer.alloc(LIMIT_BYTES, PDF)))
  fetches.startFetcher()
  const job = await fetches.create()
  await waitFor(async () => expect(await fetches.row(job.id)).toMatchObject({ file_size_bytes: LIMIT_BYTES }))
})

test('raw data need no marker, and obey all other rules', async () => {
  const fetches = await startTestFetches((request, response) => {
    if (request.headers.host?.startsWith('gone')) response.writeHead(410).end()
    else response.end('^XA')
  })
  fetches.startFetcher()
  const [good, gone] = [
    await fetches.create({ contentType: 'raw_uri' }),
    await fetches.create({ contentType: 'raw_uri', host: 'gone.example.com' }),
  ]
  await waitFor(async () => expect(await fetches.row(good.id)).toMatchObject({ file_size_bytes: 3 }))
  await waitFor(async () => expect(await fetches.jobs.stateOf(gone.id)).toBe('error'))
})

describe('while its document is being fetched', () => {
  test('a job is not given to its computer, nor are later ones of its printer; other printers do not wait', async () => {
    const { answer, waiting } = heldServer()
    const fetches = await startTestFetches(answer)
    fetches.startFetcher()
    const printerId = uuidv7()
    const before = await fetches.jobs.addJob({ computerId: fetches.computerId, printerId })
    const job = await fetches.create({ printerId })
    const after = await fetches.jobs.addJob({ computerId: fetches.computerId, printerId })
    const other = await fetches.jobs.addJob({ computerId: fetches.computerId })
    await waitFor(() => expect(waiting).toHaveLength(1))
    expect(await fetches.claim()).toEqual([before, other])
    expect(await fetches.claim()).toEqual([])
    waiting[0]?.end(PDF)
    await waitFor(async () => expect(await fetches.heldFetches()).toBe(0))
    expect(await fetches.claim()).toEqual([job.id, after])
  })

  test.each(['cancelled', 'expired'])('a job that is %s ends its fetch, and nothing is stored', async (state) => {
    const { answer, waiting } = heldServer()
    const fetches = await startTestFetches(answer)
    fetches.startFetcher()
    const job = await fetches.create()
    await waitFor(() => expect(waiting).toHaveLength(1))
    waiting[0]?.write(PDF)
    const { pool, clock } = fetches.jobs
    if (state === 'cancelled')
      await changeStates(pool, askedChanges([{ jobId: job.id, trigger: 'cancel', actor: 'api' }]), clock.now())
    else {
      clock.advanceSeconds(86_400)
      await sweepExpired(fetches.jobs)
    }
    expect(await fetches.jobs.stateOf(job.id)).toBe(state)
    await waitFor(() => expect(waiting[0]?.destroyed).toBe(true))
    await sweepFetches(fetches.jobs, fetches.files)
    expect(await fetches.heldFetches()).toBe(0)
    await waitFor(async () => expect(await fetches.storedFiles()).toEqual([]))
    expect(await fetches.row(job.id)).toMatchObject({ state, storage_key: null })
  })

  test('a replica that stops leaves the fetch to another one at once', async () => {
    const { answer, waiting } = heldServer()
    const fetches = await startTestFetches(answer)
    const first = fetches.startFetcher()
    const job = await fetches.create()
    await waitFor(() => expect(waiting).toHaveLength(1))
    await first.stop()
    fetches.startFetcher()
    await waitFor(() => expect(waiting).toHaveLength(2))
    waiting[1]?.end(PDF)
    await waitFor(async () => expect(await fetches.row(job.id)).toMatchObject({ file_size_bytes: PDF.length }))
    expect(await fetches.storedFiles()).toHaveLength(1)
  })

  test('the fetch of a replica that died is done by another one when its lease is over, and what it left is deleted', async () => {
    const fetches = await startTestFetches(sendPdf)
    const job = await fetches.create()
    const { pool, clock } = fetches.jobs
    const leaseMs = 30_000 + LEASE_BEYOND_DEADLINE_MS
    const until = new Date(clock.now().getTime() + leaseMs)
    await pool.query('UPDATE jobs.document_fetch SET attempt = 1, leased_until = $1', [until])
    await fetches.files.write(
      `${job.id}-1`,
      (async function* () {
        yield Buffer.from('half')
      })(),
    )
    fetches.startFetcher()
    await turn()
    expect(await fetches.row(job.id)).toMatchObject({ storage_key: null })
    clock.advanceSeconds(leaseMs / 1000)
    fetches.jobs.fetchesAdded()
    await waitFor(async () => expect(await fetches.row(job.id)).toMatchObject({ storage_key: `${job.id}-2` }))
    expect((await fetches.storedFiles()).map((path) => path.split('/').at(-1))).toEqual([`${job.id}-2`])
  })
})

describe('fetches at a time are bounded', () => {
  test('for each replica', async () => {
    const { answer, waiting } = heldServer()
    const fetches = await startTestFetches(answer)
    for (let n = 0; n <= FETCHES_MAX; n++)
      await fetches.create({ organizationId: uuidv7(), host: `host${n}.example.com` })
    fetches.startFetcher()
    await waitFor(() => expect(waiting).toHaveLength(FETCHES_MAX))
    const unleased = 'SELECT FROM jobs.document_fetch WHERE leased_until IS NULL'
    expect((await fetches.jobs.pool.query(unleased)).rowCount).toBe(1)
    waiting[0]?.end(PDF)
    await waitFor(() => expect(waiting).toHaveLength(FETCHES_MAX + 1))
  })

  test('for each organization, so that another one has its turn', async () => {
    const { answer, waiting, hosts } = heldServer()
    const fetches = await startTestFetches(answer)
    for (let n = 0; n <= FETCHES_OF_ORGANIZATION_MAX; n++) await fetches.create({ host: `greedy${n}.example.com` })
    await fetches.create({ host: 'modest.example.com', organizationId: uuidv7() })
    fetches.startFetcher()
    await waitFor(() => expect(hosts).toContain('modest.example.com'))
    await waitFor(() => expect(waiting).toHaveLength(FETCHES_OF_ORGANIZATION_MAX + 1))
    expect(hosts).not.toContain(`greedy${FETCHES_OF_ORGANIZATION_MAX}.example.com`)
    waiting[hosts.indexOf('greedy0.example.com')]?.end(PDF)
    await waitFor(() => expect(hosts).toContain(`greedy${FETCHES_OF_ORGANIZATION_MAX}.example.com`))
  })

  test('for each host, over all replicas', async () => {
    const { answer, waiting, hosts } = heldServer()
    const fetches = await startTestFetches(answer)
    for (let n = 0; n <= FETCHES_OF_HOST_MAX; n++)
      await fetches.create({ organizationId: uuidv7(), host: 'slow.example.com' })
    await fetches.create({ organizationId: uuidv7() })
    fetches.startFetcher()
    fetches.startFetcher()
    await waitFor(() => expect(hosts).toContain('files.example.com'))
    await waitFor(() => expect(waiting).toHaveLength(FETCHES_OF_HOST_MAX + 1))
    const { rows } = await fetches.jobs.pool.query('SELECT FROM jobs.document_fetch WHERE leased_until IS NULL')
    expect(rows).toHaveLength(1)
    waiting[hosts.indexOf('slow.example.com')]?.end(PDF)
    await waitFor(() => expect(waiting).toHaveLength(FETCHES_OF_HOST_MAX + 2))
  })
})

describe('a reprint', () => {
  const WEEK_SECONDS = 7 * 24 * 60 * 60
  const expired = expect.objectContaining({ code: 'file_expired' })

  test('has the document of its original, no byte of which is moved', async () => {
    const fetches = await startTestFetches(sendPdf)
    fetches.startFetcher()
    const job = await fetches.create()
    await waitFor(async () => expect(await fetches.claim()).toEqual([job.id]))
    const reprint = await fetches.reprint(job.id)
    expect(reprint).toMatchObject({
      contentType: 'pdf_uri',
      title: 'Again',
      state: 'queued',
      fileSizeBytes: BigInt(PDF.length),
    })
    expect(await fetches.claim()).toEqual([reprint?.id])
    expect(await fetches.storedFiles()).toHaveLength(1)
    const [original, copy] = [await fetches.row(job.id), await fetches.row(reprint?.id ?? '')]
    expect(copy).toMatchObject({
      storage_key: original.storage_key,
      file_sha256: original.file_sha256,
      reprint_of: job.id,
    })
  })

  test('can be made for 7 days, and not a second longer; the reprint has 7 days of its own', async () => {
    const fetches = await startTestFetches(sendPdf)
    const original = await fetches.jobs.addJob({ organizationId: (await fetches.create()).organizationId })
    fetches.jobs.clock.advanceSeconds(WEEK_SECONDS - 1)
    const reprint = await fetches.reprint(original)
    fetches.jobs.clock.advanceSeconds(1)
    await expect(fetches.reprint(original)).rejects.toEqual(expired)
    fetches.jobs.clock.advanceSeconds(WEEK_SECONDS - 2)
    await fetches.reprint(reprint?.id ?? '')
    fetches.jobs.clock.advanceSeconds(1)
    await expect(fetches.reprint(reprint?.id ?? '')).rejects.toEqual(expired)
  })

  test('of a job whose fetch failed is file_expired', async () => {
    const fetches = await startTestFetches((_request, response) => void response.writeHead(404).end())
    fetches.startFetcher()
    const job = await fetches.create()
    await waitFor(async () => expect(await fetches.jobs.stateOf(job.id)).toBe('error'))
    await expect(fetches.reprint(job.id)).rejects.toEqual(expired)
  })

  test('of a job of another organization or mode, or of none, is not_found', async () => {
    const fetches = await startTestFetches(sendPdf)
    const { id } = await fetches.create()
    const notFound = expect.objectContaining({ code: 'not_found' })
    await expect(fetches.reprint(id, { organizationId: uuidv7() })).rejects.toEqual(notFound)
    await expect(fetches.reprint(id, { mode: 'live' })).rejects.toEqual(notFound)
    await expect(fetches.reprint(uuidv7())).rejects.toEqual(notFound)
  })
})
