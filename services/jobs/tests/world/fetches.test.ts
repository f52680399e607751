import { createHash, randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { DOCUMENT_MAX_BYTES } from '@platen/resources/limits.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { FETCH_KEY } from '@platen/test/harness/world.ts'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, onTestFinished, test } from 'vitest'
import { changeStates, requestedChanges } from '../../change-state.ts'
import { failFetch, keepDocument } from '../../fetches/end-fetch.ts'
import { NO_QUOTA } from '../../fetches/failures.ts'
import { FETCHES_MAX } from '../../fetches/fetcher.ts'
import { FETCHES_OF_HOST_MAX, FETCHES_OF_ORGANIZATION_MAX } from '../../fetches/lease-fetches.ts'
import { createSourceBox } from '../../fetches/source-box.ts'
import { sweepExpired } from '../../timers/sweep-expired.ts'
import { heldServer, PDF, sendPdf, startTestFetches } from '../start-test-fetches.ts'

const credentials = { user: 'jürgen', password: 'a:canary' }

test('a document is fetched once, right after the creation, with HTTP Basic in UTF-8, and kept with its size and digest', async () => {
  proves('fetch.once', 'fetch.kept', 'create.authentication', 'fetch.authentication')
  const requests: (string | undefined)[] = []
  const { create, claim, jobs, held, getStored } = await startTestFetches((request, response) => {
    requests.push(request.headers.authorization)
    response.end(PDF)
  })
  const job = await create({ credentials })
  expect(job).toMatchObject({ state: 'queued', contentType: 'pdf_uri' })
  expect([job.fileSize, job.fileSha256]).toEqual([undefined, undefined])
  await waitFor(async () => expect(await claim()).toEqual([job.id]))
  expect(await jobs.row(job.id, 'file_size_bytes, file_sha256')).toEqual({
    file_size_bytes: PDF.length,
    file_sha256: createHash('sha256').update(PDF).digest('hex'),
  })
  expect(await getStored(job.id)).toEqual([PDF])
  expect(requests).toEqual([`Basic ${Buffer.from('jürgen:a:canary').toString('base64')}`])
  expect(await held()).toBe(0)
})

describe('URL and credentials', () => {
  test('are in no table in plain text, and deleted at the end of the fetch, whether it succeeds or fails', async () => {
    proves('fetch.credentials.forgotten', 'fetch.credentials.stored')
    const { answer, waiting, waits } = heldServer()
    const { create, jobs, held } = await startTestFetches(answer)
    for (const _ of ['succeeds', 'fails']) await create({ host: 'canary-host', credentials })
    await waits(2)
    const { rows } = await jobs.pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'jobs'`,
    )
    const tables = rows.map(({ name }) => name)
    expect(tables).toEqual(
      expect.arrayContaining(['job', 'job_event', 'event_log', 'document_fetch', 'idempotency_key']),
    )
    const texts = tables.map((table) => ['t::text', table])
    for (const [column, from] of [...texts, [`encode(encrypted_source, 'escape')`, 'document_fetch']])
      expect((await jobs.pool.query(`SELECT FROM jobs.${from} t WHERE ${column} ~ 'canary|secret'`)).rowCount).toBe(0)
    expect(await held()).toBe(2)
    waiting[0]?.end(PDF)
    waiting[1]?.writeHead(500).end()
    await waitFor(async () => expect(await held()).toBe(0))
  })

  test('are held for 55 of the 60 minutes: then they are deleted, and the job ends in error', async () => {
    proves('fetch.credentials.1h')
    const { create, jobs, held, world } = await startTestFetches(heldServer().answer)
    const job = await create({ credentials })
    jobs.advance(55 * 60 - 1)
    await world.sweep('jobs', 'fetches')
    expect(await held()).toBe(1)
    jobs.advance(1)
    await world.sweep('jobs', 'fetches')
    expect(await held()).toBe(0)
    expect(await jobs.row(job.id)).toMatchObject({ state: 'error', state_reasons: ['fetch-timeout'] })
  })

  test('encrypted for one job cannot be decrypted for another', async () => {
    const { answer, waiting, waits } = heldServer()
    const { create, jobs, fetched, failed, world } = await startTestFetches(answer)
    const [one, other] = [await create(), await create()]
    await waits(2)
    await jobs.pool.query(
      `UPDATE jobs.document_fetch AS other SET encrypted_source = one.encrypted_source, leased_until = NULL
       FROM jobs.document_fetch AS one WHERE one.job_id = $1 AND other.job_id = $2`,
      [one.id, other.id],
    )
    world.contexts.jobs.fetchesAdded()
    await failed(other.id)
    for (const response of waiting) response.end(PDF)
    await fetched(one.id)
  })
})

const status = (code: number, headers = {}): RequestListener => {
  return (_request, response) => void response.writeHead(code, headers).end('inside')
}
const content = (data: string | Buffer): RequestListener => {
  return (_request, response) => void response.end(data)
}
const TOO_LARGE = Buffer.alloc(DOCUMENT_MAX_BYTES + 1, PDF)
const redirect = status(302, { location: 'http://169.254.169.254/' })
const breakOff: RequestListener = (_request, response) => void response.destroy()
const noEnd: RequestListener = (_request, response) => {
  response.write(PDF)
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(1 << 16)));
  }
  response.on('drain', more)
  more()
}

describe('a fetch that fails ends the job in error with a reason of a fixed list, and stores nothing; from an allowed network it reveals nothing about the server', () => {
  test.each<[string, RequestListener, string, RegExp, string[]?]>([
    ['the server answers 404', status(404), 'fetch-failed', /status 404/],
    ['the server answers 500', status(500), 'fetch-failed', /status 500/],
    ['the server redirects', redirect, 'fetch-failed', /redirect/],
    ['the server breaks off', breakOff, 'fetch-failed', /invalid or incomplete/],
    ['a content encoding', status(200, { 'content-encoding': 'gzip' }), 'fetch-failed', /encoding/],
    ['the file is no PDF', content('<html>%PDF-'), 'document-format-error', /not a PDF/],
    ['the file is shorter than the marker', content('%PDF'), 'document-format-error', /not a PDF/],
    ['the file is empty', content(''), 'document-format-error', /empty/],
    ['the file has 25 MB + 1 byte', content(TOO_LARGE), 'content-too-large', /26214400/],
    ['the file has no end', noEnd, 'content-too-large', /26214400/, ['files']],
    [
      'no connection',
      sendPdf,
      'fetch-failed',
      /connection to the server of the URL failed/,
      ['down', 'allowed-and-down'],
    ],
    ['a refused address', sendPdf, 'fetch-failed', /does not resolve to a public address/, ['inside']],
    ['a public and an allowed address', status(404), 'fetch-failed', /could not be fetched/, ['both', 'both']],
  ])('%s', async (_, answer, reason, message, [host, allowed] = ['files', 'allowed']) => {
    proves(
      'state-reason.fetch-failed',
      'edge.queued.fetch-failure.error',
      'fetch.status',
      'fetch.redirect',
      'fetch.encoding',
      'fetch.marker',
      'fetch.25MB-plus-1',
      'state-reason.content-too-large',
      'fetch.unreachable',
    )
    const { create, failed, jobs, held, getStored } = await startTestFetches(answer)
    const { id } = await create({ host })
    const { state_message, ...row } = await failed(id)
    expect(row).toMatchObject({ state_reasons: [reason], storage_key: null })
    expect(state_message).toMatch(message)
    expect(state_message).not.toMatch(/inside|169\.254|secret|example/)
    expect(await jobs.eventActors(id)).toEqual(['api', 'system'])
    await waitFor(async () => expect([await held(), await getStored(id)]).toEqual([0, []]))
    if (!allowed) return
    const inside = await create({ host: allowed })
    const state = { state_reasons: ['fetch-failed'], state_message: 'The file could not be fetched.' }
    expect(await failed(inside.id)).toMatchObject(state)
    expect(await jobs.eventMessages(inside.id)).toEqual([null, state.state_message])
  })
})

test('a file of 25 MB is kept, also from an allowed network', async () => {
  proves('fetch.25MB')
  const { create, fetched } = await startTestFetches(content(Buffer.alloc(DOCUMENT_MAX_BYTES, PDF)))
  for (const host of ['files', 'allowed'])
    await fetched((await create({ host })).id, { file_size_bytes: DOCUMENT_MAX_BYTES })
})

test('raw data need no marker, and obey all other rules', async () => {
  proves('fetch.raw.no-marker', 'fetch.raw.rules')
  const { create, fetched, failed } = await startTestFetches((request, response) => {
    if (request.headers.host?.startsWith('gone')) response.writeHead(410).end()
    else response.end('^XA')
  })
  await fetched((await create({ contentType: 'raw_uri' })).id, { file_size_bytes: 3 })
  await failed((await create({ contentType: 'raw_uri', host: 'gone' })).id)
})

describe('a URL of raw data', () => {
  const typed = (type: string, data: string): RequestListener => {
    return (_request, response) => void response.writeHead(200, { 'content-type': type }).end(data)
  }

  test.each([
    ['a page to sign in', typed('Text/HTML; charset=utf-8', 'Please sign in'), /^The server sent a web page/],
    ['a page in XHTML', typed('application/xhtml+xml', '<p>Sorry</p>'), /^The server sent a web page/],
    ['a page of another type', typed('text/plain', '<!DOCTYPE html><p>Sorry</p>'), /^The server sent a web page/],
    ['an error in JSON', typed('application/json', '{"error":"gone"}'), /^The server sent JSON/],
    ['a problem in JSON', typed('application/problem+json;v=1', '{}'), /^The server sent JSON/],
  ])('that sends %s ends the job in error, and nothing is stored', async (_, answer, message) => {
    proves('fetch.raw.page', 'fetch.raw.json')
    const { create, failed, getStored } = await startTestFetches(answer)
    const { id } = await create({ contentType: 'raw_uri' })
    const row = { state_reasons: ['document-format-error'], state_message: expect.stringMatching(message) }
    expect(await failed(id)).toMatchObject(row)
    expect(await getStored(id)).toEqual([])
  })

  test.each([
    ['a label of a program that sends pages', typed('text/html; charset=UTF-8', '^XA^FDHello^FS^XZ')],
    ['a receipt', typed('application/json', '\x1b@Hello')],
    ['text', typed('text/plain', 'Hello')],
    ['anything of no type', content('{"a":1}')],
  ])('that sends %s is printed byte by byte', async (_, answer) => {
    proves('fetch.raw.page', 'fetch.raw.no-marker')
    const { create, fetched } = await startTestFetches(answer)
    await fetched((await create({ contentType: 'raw_uri' })).id)
  })
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

  test.each(['cancelled', 'expired'])(
    'a job that is %s ends its fetch, its source is deleted, and nothing is stored',
    async (state) => {
      const { answer, waiting, waits } = heldServer()
      const { create, jobs, held, getStored } = await startTestFetches(answer)
      const { id } = await create()
      await waits(1)
      waiting[0]?.write(PDF)
      const cancel = requestedChanges([{ jobId: id, trigger: 'cancel', actor: 'api' }])
      if (state === 'cancelled') await changeStates(jobs.pool, cancel, jobs.clock.now())
      jobs.advance(86_400)
      await sweepExpired(jobs)
      expect(await held()).toBe(0)
      await waitFor(() => expect(waiting[0]?.destroyed).toBe(true))
      await waitFor(async () => expect([await held(), await getStored(id)]).toEqual([0, []]))
      expect(await jobs.row(id)).toMatchObject({ state, storage_key: null })
    },
  )
})

describe('a document', () => {
  const document = { sizeBytes: PDF.length, sha256: 'ab'.repeat(32) }

  test('is kept for the newest attempt alone, and for no job that an earlier release has ended', async () => {
    const { answer, waiting, hosts, waits } = heldServer()
    const { create, jobs, held, world } = await startTestFetches(answer)
    const [one, other, ended] = [await create(), await create(), await create({ host: 'ended' })]
    await waits(3)
    const keep = (jobId: string, attempt = 1) => keepDocument(jobs, { jobId, attempt }, document)
    await failFetch(jobs, { jobId: one.id, attempt: 2 }, NO_QUOTA)
    expect(await keep(one.id, 2)).toBe(false)
    expect(await jobs.row(one.id)).toMatchObject({ state: 'queued', fetching: true })
    expect(await keep(one.id)).toBe(true)
    expect(await keep(one.id)).toBe(false)
    expect(await jobs.row(one.id)).toMatchObject({ fetching: false, file_size_bytes: PDF.length })
    expect(await jobs.row(other.id)).toMatchObject({ fetching: true, storage_key: null })
    // Release 0.1.0 leaves the fetch of a job that it ends.
    await jobs.force(ended.id, 'cancelled')
    expect(await keep(ended.id)).toBe(false)
    expect(await jobs.row(ended.id)).toMatchObject({ fetching: true, storage_key: null })
    await waitFor(() => expect(waiting[hosts.findIndex((host) => host.startsWith('ended'))]?.destroyed).toBe(true))
    await jobs.pool.query('UPDATE jobs.document_fetch SET leased_until = NULL WHERE job_id = $1', [ended.id])
    await create()
    await waits(4)
    expect(await held('AND attempt = 1')).toBe(3)
    await world.query('DELETE FROM jobs.document_fetch WHERE job_id = $1', [ended.id])
  })

  test('of a job that is cancelled while it is stored is not kept', async () => {
    const { answer, waits } = heldServer()
    const { create, jobs, held } = await startTestFetches(answer)
    const { id } = await create()
    await waits(1)
    const client = await jobs.pool.connect()
    await client.query('BEGIN')
    await client.query('SELECT FROM jobs.job WHERE id = $1 FOR UPDATE', [id])
    const kept = keepDocument(jobs, { jobId: id, attempt: 1 }, document)
    await untilBlocked(jobs.pool)
    await changeStates(client, requestedChanges([{ jobId: id, trigger: 'cancel', actor: 'api' }]), jobs.clock.now())
    await client.query('COMMIT')
    client.release()
    expect(await kept).toBe(false)
    expect(await jobs.row(id)).toMatchObject({ state: 'cancelled', storage_key: null })
    expect(await held()).toBe(0)
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

  test.each([
    ['organization', FETCHES_OF_ORGANIZATION_MAX, (n: number) => ({ host: `greedy${n}` })],
    ['host', FETCHES_OF_HOST_MAX, () => ({ host: 'greedy', organizationId: uuidv7() })],
  ] as const)('for each %s, so that others do not wait', async (_, max, facts) => {
    const { answer, waiting, hosts, waits } = heldServer()
    const { create, held } = await startTestFetches(answer)
    for (let n = 0; n <= max; n++) await create(facts(n))
    await create({ host: 'modest', organizationId: uuidv7() })
    await waitFor(() => expect(hosts).toContain('modest.example.com'))
    await waits(max + 1)
    expect(await held(unleased)).toBe(1)
    waiting[hosts.findIndex((host) => host.startsWith('greedy'))]?.end(PDF)
    await waits(max + 2)
  })
})

test('a fetch that waits while the fetch key is replaced is made, with the key that encrypted its source', async () => {
  const { answer, waiting, waits } = heldServer()
  const { create, fetched, held, world } = await startTestFetches(answer)
  const newer = randomBytes(32)
  const rollOut = (...keyring: [Buffer, ...Buffer[]]) =>
    void Object.assign(world.contexts.jobs.sourceBox, createSourceBox(keyring))
  onTestFinished(() => rollOut(FETCH_KEY, newer))
  rollOut(FETCH_KEY)
  for (let n = 0; n < FETCHES_OF_ORGANIZATION_MAX; n++) await create({ host: `slow${n}` })
  await waits(FETCHES_OF_ORGANIZATION_MAX)
  const old = await create()
  rollOut(FETCH_KEY, newer)
  rollOut(newer, FETCH_KEY)
  const later = await create()
  expect(await held('AND leased_until IS NULL')).toBe(2)
  for (const response of waiting) response.end(PDF)
  await waits(FETCHES_OF_ORGANIZATION_MAX + 2)
  rollOut(newer)
  const last = await create()
  await waits(FETCHES_OF_ORGANIZATION_MAX + 3)
  for (const response of waiting) response.end(PDF)
  for (const { id } of [old, later, last]) await fetched(id)
})

test('a reprint of a job whose document is being fetched is refused until the document is stored', async () => {
  proves('reprint.fetching')
  const server = heldServer()
  const { create, claim, reprint } = await startTestFetches(server.answer)
  const job = await create()
  await server.waits(1)
  await expect(reprint(job.id)).rejects.toMatchObject({ code: 'storage_unavailable', retryAfterSeconds: 5 })
  server.waiting[0]?.end(PDF)
  await waitFor(async () => expect(await claim()).toEqual([job.id]))
  expect(await reprint(job.id)).toMatchObject({ state: 'queued' })
})

test('a reprint shares the document of its original, which must have one and be of the same organization and mode', async () => {
  proves('reprint.no-file')
  const { create, claim, reprint, failed, jobs } = await startTestFetches((request, response) => {
    if (request.headers.host?.startsWith('gone')) response.writeHead(404).end()
    else response.end(PDF)
  })
  const job = await create()
  await waitFor(async () => expect(await claim()).toEqual([job.id]))
  const copy = await reprint(job.id)
  expect(copy).toMatchObject({ contentType: 'pdf_uri', state: 'queued', fileSize: BigInt(PDF.length) })
  expect(await claim()).toEqual([copy.id])
  const { storage_key, file_sha256 } = await jobs.row(job.id)
  expect(await jobs.row(copy.id)).toMatchObject({ storage_key, file_sha256, reprint_of: job.id })
  const gone = await create({ host: 'gone' })
  await failed(gone.id)
  await expect(reprint(gone.id)).rejects.toMatchObject({ code: 'file_expired' })
  const others = [reprint(job.id, { organizationId: uuidv7() }), reprint(job.id, { mode: 'live' }), reprint(uuidv7())]
  for (const outcome of await Promise.allSettled(others))
    expect(outcome).toMatchObject({ reason: { code: 'not_found' } })
})
