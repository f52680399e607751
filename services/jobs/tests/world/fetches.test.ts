import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { askedChanges, changeStates } from '../../change-state.ts'
import { FETCHES_MAX } from '../../fetches/fetcher.ts'
import { FETCHES_OF_HOST_MAX, FETCHES_OF_ORGANIZATION_MAX } from '../../fetches/lease-fetches.ts'
import { sweepExpired } from '../../timers/sweep-expired.ts'
import { heldServer, PDF, sendPdf, startTestFetches } from '../start-test-fetches.ts'

const LIMIT_BYTES = 26_214_400
const WEEK_SECONDS = 7 * 24 * 60 * 60

test('a document is fetched once, right after the creation, and kept with its size and digest [fetch.once fetch.kept]', async () => {
  let requests = 0
  const { create, claim, jobs, held, storedOf } = await startTestFetches((_request, response) => {
    requests++
    response.end(PDF)
  })
  const job = await create()
  expect(job).toMatchObject({ state: 'queued', contentType: 'pdf_uri' })
  expect([job.fileSizeBytes, job.fileSha256]).toEqual([undefined, undefined])
  await waitFor(async () => expect(await claim()).toEqual([job.id]))
  expect(await jobs.row(job.id)).toMatchObject({
    file_size_bytes: PDF.length,
    file_sha256: createHash('sha256').update(PDF).digest('hex'),
  })
  expect(await storedOf(job.id)).toEqual([PDF])
  expect([requests, await held()]).toEqual([1, 0])
})

test('the credentials are sent as HTTP Basic, in UTF-8 [create.authentication fetch.authentication]', async () => {
  let authorization: string | undefined
  const { create } = await startTestFetches((request, response) => {
    authorization = request.headers.authorization
    response.end(PDF)
  })
  await create({ credentials: { user: 'jürgen', password: 'a:b' } })
  await waitFor(() => expect(authorization).toBe(`Basic ${Buffer.from('jürgen:a:b').toString('base64')}`))
})

describe('URL and credentials', () => {
  const credentials = { user: 'canary-user', password: 'canary-password' }

  test('are in no table in plain text, and deleted at the end of the fetch, whether it succeeds or fails [fetch.credentials.forgotten fetch.credentials.stored]', async () => {
    const { answer, waiting, waits } = heldServer()
    const { create, jobs, held } = await startTestFetches(answer)
    for (const _ of ['succeeds', 'fails']) await create({ host: 'canary-host', credentials })
    await waits(2)
    const { rows } = await jobs.pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'jobs'`,
    )
    const tables = rows.map(({ name }) => name)
    expect(tables).toEqual(expect.arrayContaining(['job', 'job_event', 'outbox', 'document_fetch', 'idempotency_key']))
    for (const [column, from] of [
      ...tables.map((table) => ['t::text', table]),
      [`encode(sealed_source, 'escape')`, 'document_fetch'],
    ])
      expect((await jobs.pool.query(`SELECT FROM jobs.${from} t WHERE ${column} ~ 'canary|secret'`)).rowCount).toBe(0)
    expect(await held()).toBe(2)
    waiting[0]?.end(PDF)
    waiting[1]?.writeHead(500).end()
    await waitFor(async () => expect(await held()).toBe(0))
  })

  test('are held for 55 of the 60 minutes: then they are deleted, and the job ends in error [fetch.credentials.1h]', async () => {
    const { answer } = heldServer()
    const { create, jobs, held, world } = await startTestFetches(answer)
    const job = await create({ credentials })
    jobs.advance(55 * 60 - 1)
    await world.sweep('jobs', 'fetches')
    expect(await held()).toBe(1)
    jobs.advance(1)
    await world.sweep('jobs', 'fetches')
    expect(await held()).toBe(0)
    expect(await jobs.row(job.id)).toMatchObject({ state: 'error', state_reasons: ['fetch-timeout'] })
  })

  test('sealed for one job cannot be opened for another', async () => {
    const { answer, waiting, waits } = heldServer()
    const { create, jobs, fetched, failed, world } = await startTestFetches(answer)
    const one = await create()
    await waits(1)
    const other = await create()
    await waits(2)
    await jobs.pool.query(
      `UPDATE jobs.document_fetch SET leased_until = NULL,
         sealed_source = (SELECT sealed_source FROM jobs.document_fetch WHERE job_id = $1) WHERE job_id = $2`,
      [one.id, other.id],
    )
    world.contexts.jobs.fetchesAdded()
    await failed(other.id)
    waiting[0]?.end(PDF)
    await fetched(one.id)
  })
})

const status = (code: number, headers = {}): RequestListener => {
  return (_request, response) => void response.writeHead(code, headers).end('inside')
}
const content = (data: string | Buffer): RequestListener => {
  return (_request, response) => void response.end(data)
}
const breakOff: RequestListener = (_request, response) => void response.destroy()
const noEnd: RequestListener = (_request, response) => {
  response.write(PDF)
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(1 << 16)));
  }
  response.on('drain', more)
  more()
}

describe('a fetch that fails ends the job in error with a reason of a fixed list, and stores nothing', () => {
  test.each<[string, string, RequestListener, string, RegExp]>([
    [
      'the server answers 404 [fetch.status state-reason.fetch-failed edge.queued.fetch-failure.error]',
      'files',
      status(404),
      'fetch-failed',
      /status 404/,
    ],
    ['the server answers 500 [fetch.status]', 'files', status(500), 'fetch-failed', /status 500/],
    [
      'the server redirects [fetch.redirect]',
      'files',
      status(302, { location: 'http://169.254.169.254/' }),
      'fetch-failed',
      /redirect/,
    ],
    ['the server breaks off', 'files', breakOff, 'fetch-failed', /not valid, or ended before/],
    [
      'the server compresses the file [fetch.encoding]',
      'files',
      status(200, { 'content-encoding': 'gzip' }),
      'fetch-failed',
      /content encoding/,
    ],
    ['the file is no PDF [fetch.marker]', 'files', content('<html>%PDF-'), 'document-format-error', /not a PDF/],
    ['the file is shorter than the marker', 'files', content('%PDF'), 'document-format-error', /not a PDF/],
    ['the file is empty', 'files', content(''), 'document-format-error', /empty/],
    [
      'the file has 25 MB + 1 byte [fetch.25MB-plus-1 state-reason.content-too-large]',
      'files',
      content(Buffer.alloc(LIMIT_BYTES + 1, PDF)),
      'content-too-large',
      /26214400/,
    ],
    ['the file has no end', 'files', noEnd, 'content-too-large', /26214400/],
    ['the server cannot be reached [fetch.unreachable]', 'down', sendPdf, 'fetch-failed', /There is no connection/],
    [
      'the host has a refused address',
      'inside',
      sendPdf,
      'fetch-failed',
      /has no public address, or has none any more/,
    ],
  ])('%s', async (_, host, answer, reason, message) => {
    const { create, failed, jobs, held, storedOf } = await startTestFetches(answer)
    const { id } = await create({ host })
    const { state_message, ...row } = await failed(id)
    expect(row).toMatchObject({ state_reasons: [reason], storage_key: null })
    expect(state_message).toMatch(message)
    expect(state_message).not.toMatch(/inside|169\.254|secret|example/)
    expect(await jobs.eventActors(id)).toEqual(['api', 'system'])
    await waitFor(async () => expect([await held(), await storedOf(id)]).toEqual([0, []]))
  })
})

test('a fetch from an allowed network succeeds like any other', async () => {
  const { create, fetched } = await startTestFetches(sendPdf)
  await fetched((await create({ host: 'allowed' })).id)
})

test.each<[string, string, RequestListener]>([
  ['the server answers 404', 'allowed', status(404)],
  ['the server redirects', 'allowed', status(302)],
  ['the server breaks off', 'allowed', breakOff],
  ['the file is no PDF', 'allowed', content('<html>')],
  ['the file is empty', 'allowed', content('')],
  ['the file is too large', 'allowed', content(Buffer.alloc(LIMIT_BYTES + 1, PDF))],
  ['the port is closed', 'allowed-and-down', sendPdf],
  ['the host has a public address too', 'both', status(404)],
])('a failed fetch from an allowed network reveals nothing about the server: %s', async (_, host, answer) => {
  const { create, failed, jobs } = await startTestFetches(answer)
  const { id } = await create({ host })
  const message = 'The file could not be fetched.'
  expect(await failed(id)).toMatchObject({ state_reasons: ['fetch-failed'], state_message: message })
  expect(await jobs.eventMessages(id)).toEqual([null, message])
})

test('a file of 25 MB is kept [fetch.25MB]', async () => {
  const { create, fetched } = await startTestFetches(content(Buffer.alloc(LIMIT_BYTES, PDF)))
  await fetched((await create()).id, { file_size_bytes: LIMIT_BYTES })
})

test('raw data need no marker, and obey all other rules [fetch.raw.no-marker fetch.raw.rules]', async () => {
  const { create, fetched, failed } = await startTestFetches((request, response) => {
    if (request.headers.host?.startsWith('gone')) response.writeHead(410).end()
    else response.end('^XA')
  })
  const good = await create({ contentType: 'raw_uri' })
  const gone = await create({ contentType: 'raw_uri', host: 'gone' })
  await fetched(good.id, { file_size_bytes: 3 })
  await failed(gone.id)
})

describe('while its document is being fetched', () => {
  test('a job and later ones of its printer are not claimed; other printers do not wait', async () => {
    const { answer, waiting, waits } = heldServer()
    const { create, agent, claim } = await startTestFetches(answer)
    const printerId = uuidv7()
    const before = await agent.addJob({ printerId })
    const job = await create({ printerId })
    const after = await agent.addJob({ printerId })
    const other = await agent.addJob()
    await waits(1)
    expect(await claim()).toEqual([before, other])
    expect(await claim()).toEqual([])
    waiting[0]?.end(PDF)
    await waitFor(async () => expect(await claim()).toEqual([job.id, after]))
  })

  test.each(['cancelled', 'expired'])('a job that is %s ends its fetch, and nothing is stored', async (state) => {
    const { answer, waiting, waits } = heldServer()
    const { create, jobs, held, storedOf, world } = await startTestFetches(answer)
    const job = await create()
    await waits(1)
    waiting[0]?.write(PDF)
    if (state === 'cancelled')
      await changeStates(
        jobs.pool,
        askedChanges([{ jobId: job.id, trigger: 'cancel', actor: 'api' }]),
        jobs.clock.now(),
      )
    else {
      jobs.advance(86_400)
      await sweepExpired(jobs)
    }
    expect(await jobs.stateOf(job.id)).toBe(state)
    await waitFor(() => expect(waiting[0]?.destroyed).toBe(true))
    await world.sweep('jobs', 'fetches')
    await waitFor(async () => expect([await held(), await storedOf(job.id)]).toEqual([0, []]))
    expect(await jobs.row(job.id)).toMatchObject({ state, storage_key: null })
  })
})

describe('the number of fetches at a time is limited', () => {
  const unleased = 'AND leased_until IS NULL'

  test('for each replica', async () => {
    const { answer, waiting, waits } = heldServer()
    const { create, held } = await startTestFetches(answer)
    for (let n = 0; n <= FETCHES_MAX; n++) await create({ organizationId: uuidv7(), host: `host${n}` })
    await waits(FETCHES_MAX)
    expect(await held(unleased)).toBe(1)
    waiting[0]?.end(PDF)
    await waits(FETCHES_MAX + 1)
  })

  test('for each organization', async () => {
    const { answer, waiting, hosts, waits } = heldServer()
    const { create } = await startTestFetches(answer)
    for (let n = 0; n <= FETCHES_OF_ORGANIZATION_MAX; n++) await create({ host: `greedy${n}` })
    await create({ host: 'modest', organizationId: uuidv7() })
    await waitFor(() => expect(hosts).toContain('modest.example.com'))
    await waits(FETCHES_OF_ORGANIZATION_MAX + 1)
    const last = `greedy${FETCHES_OF_ORGANIZATION_MAX}.example.com`
    expect(hosts).not.toContain(last)
    waiting[hosts.indexOf('greedy0.example.com')]?.end(PDF)
    await waitFor(() => expect(hosts).toContain(last))
  })

  test('for each host', async () => {
    const { answer, waiting, hosts, waits } = heldServer()
    const { create, held } = await startTestFetches(answer)
    for (let n = 0; n <= FETCHES_OF_HOST_MAX; n++) await create({ organizationId: uuidv7(), host: 'slow' })
    await create({ organizationId: uuidv7() })
    await waitFor(() => expect(hosts).toContain('files.example.com'))
    await waits(FETCHES_OF_HOST_MAX + 1)
    expect(await held(unleased)).toBe(1)
    waiting[hosts.indexOf('slow.example.com')]?.end(PDF)
    await waits(FETCHES_OF_HOST_MAX + 2)
  })
})

describe('a reprint', () => {
  const expired = expect.objectContaining({ code: 'file_expired' })

  test('shares the document of its original', async () => {
    const { create, claim, reprint, jobs } = await startTestFetches(sendPdf)
    const job = await create()
    await waitFor(async () => expect(await claim()).toEqual([job.id]))
    const copy = await reprint(job.id)
    const facts = { contentType: 'pdf_uri', title: 'Invoice', state: 'queued', fileSizeBytes: BigInt(PDF.length) }
    expect(copy).toMatchObject(facts)
    expect(await claim()).toEqual([copy?.id])
    const { storage_key, file_sha256 } = await jobs.row(job.id)
    expect(await jobs.row(copy?.id ?? '')).toMatchObject({ storage_key, file_sha256, reprint_of: job.id })
  })

  test('can be made for 7 days, to the second; the reprint has 7 days of its own', async () => {
    const { create, reprint, jobs } = await startTestFetches(sendPdf)
    const original = await jobs.addJob({ organizationId: (await create()).organizationId })
    jobs.advance(WEEK_SECONDS - 1)
    const copy = (await reprint(original))?.id ?? ''
    jobs.advance(1)
    await expect(reprint(original)).rejects.toEqual(expired)
    jobs.advance(WEEK_SECONDS - 2)
    await reprint(copy)
    jobs.advance(1)
    await expect(reprint(copy)).rejects.toEqual(expired)
  })

  test('of a job whose fetch failed is file_expired [reprint.no-file]', async () => {
    const { create, failed, reprint } = await startTestFetches(status(404))
    const { id } = await create()
    await failed(id)
    await expect(reprint(id)).rejects.toEqual(expired)
  })

  test('of a job of another organization or mode, or of none, is not_found', async () => {
    const { create, reprint } = await startTestFetches(sendPdf)
    const { id } = await create()
    const notFound = expect.objectContaining({ code: 'not_found' })
    await expect(reprint(id, { organizationId: uuidv7() })).rejects.toEqual(notFound)
    await expect(reprint(id, { mode: 'live' })).rejects.toEqual(notFound)
    await expect(reprint(uuidv7())).rejects.toEqual(notFound)
  })
})
