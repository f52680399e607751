import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'

async function startSearch() {
  const organization = await newOrganization()
  const { api, world, id } = organization
  const printer = await organization.addPrinter('live', { name: 'Label 4x6 (Packing)' })
  const other = await organization.addPrinter('live', { name: 'Laser' })
  return {
    ...organization,
    printer,
    /** A job on the other printer. */
    add: async (title: string, facts = {}, target = other) =>
      await api.createJob(printJob(target.id, { title, ...facts })),
    addTo: async (title: string) => await api.createJob(printJob(printer.id, { title })),
    async search(q: string): Promise<string[]> {
      const { status, body } = await api.get(`/v1/printjobs?q=${encodeURIComponent(q)}`)
      expect(status, JSON.stringify(body)).toBe(200)
      expect([body.hasMore, body.nextCursor]).toEqual([false, null])
      return body.data.map(({ title }: { title: string }) => title)
    },
    /** Jobs without documents, before all others. */
    addOld: async (count: number, title: string) =>
      await world.query(
        `INSERT INTO jobs.job (id, organization_id, mode, printer_id, computer_id, title, content_type, source, qty,
           options, expire_after_seconds, expires_at, state, final_state, version, traceparent, created_at, commit_seq)
         SELECT uuidv7(), $1, 'live', uuidv7(), uuidv7(), $3 || n, 'pdf_base64', 'api', 1, '{}', 60, now(), 'done',
           'done', 5, '', now(), n
         FROM generate_series(1, $2::int) AS n`,
        [id, count, title],
      ),
  }
}

test('words of a search begin words of the title, in any case and order; other characters are literal', async () => {
  proves('print-jobs.filter.q', 'search.words')
  const { add, search } = await startSearch()
  for (const title of ['Invoice 4711', 'Label INV-4711 (draft)', '100% cotton', 'A+B [x] \\d', 'Other'])
    await add(title)
  expect(await search('INV 47')).toEqual(['Label INV-4711 (draft)', 'Invoice 4711'])
  expect(await search(' 4711   invoice ')).toEqual(['Invoice 4711'])
  expect(await search('voice')).toEqual([])
  expect(await search('(draft)')).toEqual(['Label INV-4711 (draft)'])
  expect(await search('100%')).toEqual(['100% cotton'])
  for (const [q, found] of [
    ['a+b [x]', true],
    ['\\d', true],
    ['.*', false],
    ['%', false],
    ['10_', false],
  ] as const)
    expect((await search(q)).length, q).toBe(found ? 1 : 0)
})

test('a search finds a number, an id, a source and the name of a printer, in all states', async () => {
  proves('search.exact', 'search.printer')
  const { add, addTo, api, search } = await startSearch()
  const first = await add('first', { source: 'shop till 7' })
  const second = await addTo('second')
  expect((await api.post(`/v1/printjobs/${first.id}/cancel`, {})).status).toBe(200)
  expect(await search(`#${first.number}`)).toEqual(['first'])
  expect(await search(String(second.number))).toEqual(['second'])
  expect(await search(second.id.toUpperCase())).toEqual(['second'])
  await add('third', { source: 'shop till 7' })
  expect(await search('shop till 7')).toEqual(['third', 'first'])
  expect(await search('shop till')).toEqual([])
  expect(await search('4x6 (pack')).toEqual(['second'])
  expect(await search('LASER')).toEqual(['third', 'first'])
})

test('words are searched in the newest 5,000 jobs, and beginnings of titles in all; a page has the newest 20', async () => {
  proves('search.prefix', 'search.page')
  const { id, world, add, addOld, search, api } = await startSearch()
  await addOld(1, 'First of all ')
  await addOld(1, 'Waits since then ')
  await world.query(
    `UPDATE jobs.job SET state = 'queued', final_state = NULL, expires_at = '2100-01-01'
     WHERE organization_id = $1 AND title = 'Waits since then 1'`,
    [id],
  )
  await addOld(4_998, 'Invoice ')
  expect(await search('of all')).toEqual(['First of all 1'])
  expect(await search('4711')).toEqual(['Invoice 4711'])
  for (let n = 0; n < 20; n++) await add(`Label ${n}`)
  expect(await search('of all')).toEqual([])
  expect(await search('FIRST OF')).toEqual(['First of all 1'])
  expect(await search('waits')).toEqual(['Waits since then 1'])
  expect(await search('label')).toEqual(Array.from({ length: 20 }, (_, n) => `Label ${19 - n}`))
  expect((await api.get('/v1/printjobs?q=label&limit=3')).body.data).toHaveLength(3)
})

test('`q` has 1 to 100 characters and no other filter, cursor or order beside it; it finds no job of another organization or mode', async () => {
  proves('search.length.100', 'search.length.101', 'search.alone')
  const { add, api, testApi, search } = await startSearch()
  const job = await add('x'.repeat(100))
  expect(await search('x'.repeat(100))).toHaveLength(1)
  for (const query of [
    `q=${'x'.repeat(101)}`,
    'q=',
    'q=%20',
    'q=a&state=done',
    'q=a&dir=asc',
    `q=a&printerId=${job.printerId}`,
  ]) {
    const { status, body } = await api.get(`/v1/printjobs?${query}`)
    expect([status, body.error?.code], query).toEqual([400, 'invalid_request'])
  }
  const { nextCursor } = (await api.get('/v1/printjobs')).body
  expect((await api.get(`/v1/printjobs?q=a&after=${nextCursor}`)).status).toBe(400)
  const stranger = await newOrganization()
  for (const other of [testApi, stranger.api])
    for (const q of ['xxx', `%23${job.number}`, job.id, 'api', 'Laser'])
      expect((await other.get(`/v1/printjobs?q=${q}`)).body.data, q).toEqual([])
})
