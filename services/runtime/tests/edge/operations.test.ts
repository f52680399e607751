/** The port for probes and operators. */
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { expect, onTestFinished, test } from 'vitest'
import { serveOperations } from '../../operations.ts'

async function start(metrics?: { read(): Promise<string> }) {
  const service = createTestProcess('jobs')
  onTestFinished(() => service.stop())
  const { port } = await serveOperations(service, { host: '127.0.0.1', port: 0 }, metrics)
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    return [response.status, await response.json()]
  }
  return { service, get }
}

test('a process without a dependency is not ready but alive, and gives no reason to callers', async () => {
  const { service, get } = await start()
  expect(await get('/readyz')).toEqual([200, { status: 'ok' }])
  service.readiness.require(() => Promise.reject(new Error('no route to db.internal')))
  expect(await get('/readyz')).toEqual([503, { status: 'not ready' }])
  expect(await get('/livez?verbose')).toEqual([200, { status: 'ok' }])
})

test('the port names the release and its pages', async () => {
  const { get } = await start()
  const release = expect.stringMatching(/^\d+\.\d+\.\d+(-dev)?$/)
  expect(await get('/version')).toEqual([200, { version: release, node: process.version }])
  expect(await get('/')).toEqual([404, { paths: ['/livez', '/readyz', '/version'] }])
})

test('metrics that cannot be read are a 503, and the process continues', async () => {
  const { get } = await start({ read: () => Promise.reject(new Error('a gauge failed')) })
  expect(await get('/metrics')).toEqual([503, { status: 'no metrics' }])
  expect(await get('/livez')).toEqual([200, { status: 'ok' }])
})
