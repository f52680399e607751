/** Documents at URLs and reprints, in an installation as it is shipped. What fetches do is tested in `services/jobs/tests/fetches.test.ts`. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '../harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { traceEnvironment } from '../harness/trace-environment.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startTraceReceiver, type TraceReceiver } from '../traces/receiver.ts'

/** In the allowed network; nobody listens there. */
const HOST = '127.9.8.7'
const CANARY = 'canary-51c7'

let receiver: TraceReceiver
let platen: Platen
let printerId: string

beforeAll(async () => {
  receiver = await startTraceReceiver()
  platen = await startPlaten({ env: { ...traceEnvironment(receiver), PLATEN_ALLOWED_NETWORKS: `${HOST}/32` } })
  printerId = (await platen.api.printer('Test A4 Laser')).id
})

afterAll(async () => {
  await platen?.stop()
  await receiver?.close()
  if (platen) await removeDataDir(platen.dataDir)
})

test('a reprint is printed from the stored document of its original', async () => {
  const content = makePdf('Hello').toString('base64')
  const original = await platen.api.createJob({ printerId, title: 'Hello', contentType: 'pdf_base64', content })
  expect(await platen.api.waitUntilFinal(original.id)).toMatchObject({ state: 'done' })
  const reprint = await platen.api.createJob({ printerId, title: 'Hello again', reprintOf: original.id })
  const { fileSize, fileSha256 } = original
  expect(reprint).toMatchObject({ title: 'Hello again', contentType: 'pdf_base64', fileSize, fileSha256 })
  expect(await platen.api.waitUntilFinal(reprint.id)).toMatchObject({ state: 'done' })
})

test('only networks that the operator allowed are open beside the public ones', async () => {
  for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]']) {
    const body = { printerId, title: 'Inside', contentType: 'pdf_uri', content: `http://${host}/` }
    const { status, body: answer } = await platen.api.post('/v1/printjobs', body)
    expect([host, status, answer.error?.code]).toEqual([host, 422, 'invalid_content_url'])
  }
})

test('URL and credentials are in no job, event, log or span, also where something failed', async () => {
  const content = `http://${HOST}/${CANARY}?token=${CANARY}`
  const authentication = { type: 'BasicAuth', credentials: { user: CANARY, pass: CANARY } }
  const body = { printerId, title: 'Invoice', contentType: 'pdf_uri', content, authentication }
  const { id } = await platen.api.createJob(body)
  const job = await platen.api.waitUntilFinal(id)
  expect(job).toMatchObject({
    state: 'error',
    stateMessage: 'The file could not be fetched.',
    stateReasons: ['fetch-failed'],
  })
  const { body: events } = await platen.api.get(`/v1/printjobs/${id}/events`)
  expect(events.data.at(-1)).toMatchObject({ state: 'error', actor: 'system' })
  const wrong = { ...body, content: `http://10.0.0.1/${CANARY}` }
  const refused = await platen.api.post('/v1/printjobs', wrong)
  expect(refused.status).toBe(422)

  await waitFor(() => expect(receiver.dump()).toContain('fetch document'))
  await platen.stop()
  const texts: [string, string][] = [['spans', receiver.dump()]]
  for (const told of [job, events, refused.body]) texts.push(['answers', JSON.stringify(told)])
  const logs = join(platen.dataDir, 'logs')
  for (const name of await readdir(logs)) texts.push([name, await readFile(join(logs, name), 'utf8')])
  expect(texts.map(([name]) => name)).toContain('jobs.log')
  const secrets = [CANARY, Buffer.from(`${CANARY}:${CANARY}`).toString('base64')]
  for (const secret of secrets)
    expect(texts.filter(([, text]) => text.includes(secret)).map(([name]) => name)).toEqual([])
})
