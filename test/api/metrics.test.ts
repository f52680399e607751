/** The metrics of docs/metrics.md, as Prometheus reads them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePdf } from '../harness/pdf.ts'
import { waitFor } from '../harness/wait-for.ts'
import { newEndpoint } from './hooks.ts'
import { installation, newJob, newOrganization } from './installation.ts'

interface Metric {
  type: string
  labels: string[]
}

/** `| name | type | labels | meaning |` */
const ROW = /^\| `(\w+)` \| (\w+)[^|]* \| ([^|]*)\|/gm

function readDocumented(): Record<string, Metric> {
  const page = readFileSync(join(import.meta.dirname, '../../docs/metrics.md'), 'utf8')
  const rows = [...page.matchAll(ROW)].map(([, name = '', type = '', labels = '']) => {
    const names = [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label)
    return [name, { type, labels: names.toSorted() }] as const
  })
  // It has no value until a backup is recorded: services/jobs/tests/world/last-backup.test.ts.
  return Object.fromEntries(rows.filter(([name]) => name !== 'platen_backup_age_seconds'))
}

async function readMetrics(): Promise<string> {
  const response = await fetch(`${installation.operationsUrl}/metrics`)
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  return await response.text()
}

/** The metrics that have a series. */
function parse(text: string): Record<string, Metric> {
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type] as const)
  return Object.fromEntries(
    types.flatMap(([name, type]) => {
      const series = new RegExp(`^${name}${type === 'histogram' ? '_count' : ''}(?:{(.*)})? `, 'gm')
      const found = [...text.matchAll(series)].map(([, labels = '']) =>
        [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label).toSorted(),
      )
      const [labels] = found
      expect(new Set(found.map(String)).size, name).toBeLessThanOrEqual(1)
      return labels ? [[name, { type, labels }] as const] : []
    }),
  )
}

test('an installation that prints has exactly the metrics of the documentation, with their types and labels', async () => {
  const { testApi, connectAgent } = await newOrganization()
  const endpoint = await newEndpoint(testApi, ['printjob.done'])
  const printer = await testApi.printer('Test A4 Laser')
  await testApi.createJob(newJob(printer.id))
  const stored = makePdf('x'.repeat(100_000)).toString('base64')
  await testApi.createJob(newJob(printer.id, { content: stored }))
  await waitFor(() => expect(endpoint.requests()).toHaveLength(2))
  const { agent } = await connectAgent()
  agent.close()
  await waitFor(async () => expect(parse(await readMetrics())).toEqual(readDocumented()))
})

test('no label of a metric has an id', async () => {
  const { api } = await newOrganization()
  await api.get('/v1/printjobs/0198c8a0-0000-7000-8000-000000000000')
  await api.get('/v1/nothing/0198c8a0-0000-7000-8000-000000000000')
  const text = await readMetrics()
  expect(text).toMatch(/route="\/v1\/printjobs\/:id",method="GET",status="404"/)
  expect(text).toMatch(/route="other",method="GET",status="404"/)
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
})
