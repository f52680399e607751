/** Creations through a proxy that loses answers after the service has processed the requests. */
import { installation, newOrganization, PDF } from '@platen/test/api/installation.ts'
import { expect, onTestFinished, test } from 'vitest'
import { type Failure, startLossyProxy } from '../../conformance/lossy-proxy.ts'
import { Platen } from '../src/main.ts'

const JOBS = 60
/** A key can make 20 requests a second. */
const KEYS = 20

test('a creation whose gateway gave up is repeated until its first request has created the job', async () => {
  const organization = await newOrganization()
  const { printerId } = await organization.connectAgent()
  const failures: Failure[] = ['gateway-timeout']
  const proxy = await startLossyProxy(installation.credentials.baseUrl, () => failures.shift())
  onTestFinished(proxy.stop)
  const platen = new Platen({ apiKey: organization.api.key, baseUrl: proxy.url })
  const file = PDF as Uint8Array<ArrayBuffer>
  const { id } = await platen.printJobs.create({ printer: printerId, title: 'Label', file })
  expect(proxy.statuses()).toEqual([409, 201])
  expect((await organization.api.get('/v1/printjobs')).body.data).toMatchObject([{ id, title: 'Label' }])
})

test('60 creations through a proxy that cuts 30 % of the answers create 60 jobs', async () => {
  const organization = await newOrganization()
  const { printerId } = await organization.connectAgent()
  const proxy = await startLossyProxy(installation.credentials.baseUrl)
  onTestFinished(proxy.stop)
  const keys = await Promise.all(Array.from({ length: KEYS }, () => organization.addKey('live', 'print')))
  const created = await Promise.all(
    keys.flatMap(({ api }, client) => {
      const platen = new Platen({ apiKey: api.key, baseUrl: proxy.url, maxRetries: 20 })
      return Array.from({ length: JOBS / KEYS }, (_, job) =>
        platen.printJobs.create({
          printer: printerId,
          title: `Label ${client}.${job}`,
          file: PDF as Uint8Array<ArrayBuffer>,
        }),
      )
    }),
  )
  const reader = new Platen({ apiKey: organization.api.key, baseUrl: installation.credentials.baseUrl })
  const listed: string[] = []
  for await (const { title } of reader.printJobs.list({ printerId, limit: 100 })) listed.push(title)
  expect(proxy.lost()).toBeGreaterThan(JOBS * 0.3 * 0.5)
  expect(listed.toSorted()).toEqual(created.map(({ title }) => title).toSorted())
  expect(new Set(created.map(({ id }) => id)).size).toBe(JOBS)
})
