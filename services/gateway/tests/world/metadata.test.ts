/** Metadata of jobs: its limits, and the lists and searches that find jobs by it. */
import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { expectError } from '../client.ts'

async function startShop() {
  const organization = await newOrganization()
  const printer = await organization.addPrinter()
  const { api } = organization
  return {
    ...organization,
    job: (metadata: unknown) => printJob(printer.id, { metadata }),
    add: async (title: string, metadata: object) => await api.createJob(printJob(printer.id, { title, metadata })),
    async list(query: string): Promise<string[]> {
      const { status, body } = await api.get(`/v1/printjobs?${query}`)
      expect(status, JSON.stringify(body)).toBe(200)
      return body.data.map(({ title }: { title: string }) => title)
    },
  }
}

test('a job keeps the pairs that its creation sends; a job without any has none', async () => {
  proves('print-job.metadata')
  const { add, api } = await startShop()
  const metadata = { order: '4711', 'shop.till_2-b': 'Öffnung 🙂', empty: '' }
  const { id, ...job } = await add('Receipt', metadata)
  expect(job.metadata).toEqual(metadata)
  expect(await api.getJob(id)).toEqual({ id, ...job })
  const { id: other } = await add('Receipt', {})
  expect(await api.getJob(other)).toMatchObject({ metadata: {} })
})

const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, 'x']))

test('20 pairs, keys of 40 and values of 500 characters are accepted; more, and other values, are not', async () => {
  proves('metadata.20', 'metadata.21', 'metadata.key.40', 'metadata.key.41', 'metadata.value.500', 'metadata.value.501')
  const { api, job } = await startShop()
  for (const good of [pairs(20), { ['k'.repeat(40)]: '🙂'.repeat(500) }])
    expect((await api.post('/v1/printjobs', job(good))).status).toBe(201)
  for (const bad of [
    pairs(21),
    { ['k'.repeat(41)]: 'x' },
    { order: 'x'.repeat(501) },
    { order: 4711 },
    { 'an order': 'x' },
    { '': 'x' },
    { order: 'x\0' },
    ['order'],
    'order',
  ])
    expectError(await api.post('/v1/printjobs', job(bad)), 400, 'invalid_request', /`metadata/)
})

test('a list has the jobs with each of its pairs, exactly, together with other filters', async () => {
  proves('print-jobs.filter.metadata', 'print-jobs.filter.metadata.several')
  const { add, list, api, testApi } = await startShop()
  await add('first', { order: '4711', till: '2' })
  await add('second', { order: '4711', till: '3' })
  await add('third', { other: '4711', order: '47' })
  expect(await list('metadata[order]=4711')).toEqual(['second', 'first'])
  expect(await list('metadata%5Border%5D=4711&metadata[till]=3')).toEqual(['second'])
  expect(await list('metadata[till]=3&metadata[order]=47')).toEqual([])
  expect(await list('metadata[order]=4711&state=done')).toEqual([])
  expect(await list('metadata[order]=4711&state=queued&state=done&source=api')).toEqual(['second', 'first'])
  expect((await testApi.get('/v1/printjobs?metadata[order]=4711')).body.data).toEqual([])
  const { body } = await api.get('/v1/printjobs?metadata[order]=4711&metadata[till]=2&limit=1')
  const { status } = await api.get(
    `/v1/printjobs?metadata[till]=2&metadata[order]=4711&limit=1&after=${body.nextCursor}`,
  )
  expect(status).toBe(200)
})

test.each([
  'metadata[an order]=1',
  'metadata[]=1',
  'metadata[order]=1&metadata[order]=2',
  'metadata=1',
  'meta[order]=1',
])('the filter %s is refused', async (query) => {
  const { api } = await startShop()
  expectError(await api.get(`/v1/printjobs?${query}`), 400, 'invalid_request', /`meta/)
})

test('`metadata[__proto__]` is refused, and not ignored', async () => {
  const { api } = await startShop()
  expectError(await api.get('/v1/printjobs?metadata[__proto__]=1'), 400, 'invalid_request', /metadata/)
})

test('a search finds the newest jobs with a value', async () => {
  proves('search.metadata')
  const { add, list, testApi } = await startShop()
  const other = await startShop()
  await add('first', { order: '4711-A' })
  await add('second', { delivery: '4711-A' })
  await add('third', { order: '4711-B' })
  expect(await list('q=4711-A')).toEqual(['second', 'first'])
  expect(await list('q=4711-C')).toEqual([])
  expect(await other.list('q=4711-A')).toEqual([])
  expect((await testApi.get('/v1/printjobs?q=4711-A')).body.data).toEqual([])
})
