/** The gateway as its own process: what it needs of the machine, what it writes to its log, how it ends. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createApi } from '@platen/test/harness/api.ts'
import { peakRssBytes } from '@platen/test/harness/peak-rss.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { startGatewayProcess } from './start-gateway-process.ts'
import { printJob } from './start-test-gateway.ts'
import { API_KEY_ID, startTestServices } from './start-test-services.ts'

const MEGABYTE = 1024 * 1024
const UPLOADS = 32
/** Each of them starts a process, or five, or moves a gigabyte. */
const LIMIT_MS = 180_000

async function startGateway(env: NodeJS.ProcessEnv = {}) {
  const services = await startTestServices()
  const gateway = await startGatewayProcess(services.config, env)
  const key = services.makeKey()
  return { ...gateway, services, key, api: createApi(gateway.baseUrl, key) }
}

/** Without a copy of the body, unlike `fetch`. @returns the status. */
async function upload(baseUrl: string, key: string, body: Buffer): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length }
  const request = httpRequest(`${baseUrl}/v1/printjobs`, { method: 'POST', headers, agent: false })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

test.skipIf(!existsSync('/proc/self/status'))(
  '32 uploads of 25 MB at once stay below 300 MB of memory, and small requests are answered meanwhile',
  { timeout: LIMIT_MS },
  async () => {
    const { services, child, key, baseUrl, api, isUp } = await startGateway({ PLATEN_RATE_LIMIT_PER_SECOND: '10000' })
    await services.startAll()
    await isUp()
    const content = Buffer.alloc(25 * MEGABYTE, '%PDF-1.7\n').toString('base64')
    const body = Buffer.from(JSON.stringify(printJob({ content })))
    let uploading = UPLOADS
    const startedAt = performance.now()
    const uploads = Array.from({ length: UPLOADS }, () => upload(baseUrl, key, body).finally(() => uploading--))
    let small = 0
    while (uploading > 0) {
      expect((await api.get('/v1/whoami')).status).toBe(200)
      small++
    }
    const statuses = await Promise.all(uploads)
    const seconds = (performance.now() - startedAt) / 1000
    expect(statuses).toEqual(statuses.map(() => 201))
    const rss = await peakRssBytes(child.pid ?? 0)
    const rate = (UPLOADS / seconds).toFixed(1)
    console.info(
      `${UPLOADS} uploads of 25 MB: ${Math.round(rss / MEGABYTE)} MB, ${rate}/s, ${small} small requests beside`,
    )
    expect(small).toBeGreaterThan(UPLOADS)
    expect(rss).toBeLessThan(300 * MEGABYTE)
  },
)

test('each request is one line with its facts, and no key, title or content is in the log', async () => {
  const { services, api, key, isUp, output } = await startGateway({ PLATEN_LOG_LEVEL: 'debug' })
  await services.startAll()
  await isUp()
  const canary = 'canary7f3a'
  const job = printJob({ title: canary })
  await api.post('/v1/printjobs', job, { 'x-request-id': 'created' })
  await api.post('/v1/printjobs', { ...job, [canary]: 1 }, { 'x-request-id': 'refused' })
  await api.post('/v1/printjobs', `{"title":"${canary}"`, { 'x-request-id': 'broken' })
  await api.get(`/v1/${canary}?q=${canary}`, { 'x-request-id': 'unknown' })
  services.createJobError = 'internal_error'
  await api.post('/v1/printjobs', job, { 'x-request-id': 'failed' })

  const lineOf = (id: string) =>
    output()
      .split('\n')
      .filter((line) => line.endsWith('"msg":"request"}'))
      .map((line) => JSON.parse(line))
      .filter(({ request_id }) => request_id === id)
  await waitFor(() => expect(lineOf('failed')).toHaveLength(1))
  expect(lineOf('created')).toEqual([
    expect.objectContaining({
      method: 'POST',
      route: '/v1/printjobs',
      status: 201,
      duration_ms: expect.any(Number),
      organization_id: expect.any(String),
      api_key_id: API_KEY_ID,
      error_code: null,
    }),
  ])
  expect(lineOf('refused')).toEqual([expect.objectContaining({ status: 400, error_code: 'invalid_request' })])
  expect(lineOf('broken')).toEqual([expect.objectContaining({ status: 400, error_code: 'invalid_request' })])
  expect(lineOf('unknown')).toEqual([expect.objectContaining({ status: 404, route: null, error_code: 'not_found' })])
  expect(lineOf('failed')).toEqual([expect.objectContaining({ status: 500, error_code: 'internal_error' })])
  for (const secret of [canary, key, String(job.content)]) expect(output()).not.toContain(secret)
})

test('it starts without the other services, and SIGTERM ends it cleanly', async () => {
  const { child, exited, isUp } = await startGateway()
  await isUp()
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('a port in use and bad settings are one clear sentence and the exit code for settings', {
  timeout: LIMIT_MS,
}, async () => {
  const first = await startGateway()
  await first.isUp()
  const second = await startGateway({ PLATEN_PORT: String(first.port) })
  expect(await second.exited).toBe(78)
  expect(second.output()).toContain(`Port ${first.port} is in use.`)
  const third = await startGateway({ PLATEN_JOBS_URL: 'nowhere', PLATEN_RPC_SECRET: 'short' })
  expect(await third.exited).toBe(78)
  expect(third.output()).toMatch(/PLATEN_RPC_SECRET[\s\S]*PLATEN_JOBS_URL/)
})

test('PLATEN_KEY_PREFIX_ALIASES names the older prefixes of keys, and a list that is none is refused at the start', {
  timeout: LIMIT_MS,
}, async () => {
  const { api, isUp, services } = await startGateway({ PLATEN_KEY_PREFIX_ALIASES: 'first-press, older' })
  await services.startAll()
  await isUp()
  const status = async (prefix?: string) => {
    const authorization = `Bearer ${services.makeKey('test', ['read'], { prefix })}`
    return (await api.get('/v1/whoami', { authorization })).status
  }
  expect([await status(), await status('first-press'), await status('older'), await status('press')]).toEqual([
    200, 200, 200, 401,
  ])
  for (const bad of ['older,', 'older live', 'older_', 'a'.repeat(33)]) {
    const refused = await startGateway({ PLATEN_KEY_PREFIX_ALIASES: bad })
    expect(await refused.exited, bad).toBe(78)
    expect(refused.output()).toContain('PLATEN_KEY_PREFIX_ALIASES')
  }
})
