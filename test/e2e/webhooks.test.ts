/** Webhooks of a whole installation, as an integrator has them; and `docs/webhooks.md` is true: its programs are taken from it and run. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { makePdf } from '../harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { waitFor } from '../harness/wait-for.ts'
import { type Delivered, startWebhookReceiver, verify, type WebhookReceiver } from '../harness/webhook-receiver.ts'

const ROOT = new URL('../../', import.meta.url)
const GUIDE = await readFile(new URL('docs/webhooks.md', ROOT), 'utf8')
const LISTEN = fileURLToPath(new URL('deploy/webhooks/main.ts', ROOT))
/** Of a program that is started. */
const START_LIMIT_MS = 60_000
const WALK = ['queued', 'sent', 'received', 'printing', 'done']

let platen: Platen
let receiver: WebhookReceiver

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  platen = await startPlaten({ env: { PLATEN_ALLOWED_NETWORKS: '127.0.0.0/8' } })
})

afterAll(async () => {
  await platen?.stop()
  await receiver?.stop()
  if (platen) await removeDataDir(platen.dataDir)
})

async function createEndpoint(url: string, events: string[]): Promise<{ id: string; secret: string }> {
  const { status, body } = await platen.api.post('/v1/webhooks', { url, events })
  expect(status, JSON.stringify(body)).toBe(201)
  onTestFinished(async () => void (await platen.api.request('DELETE', `/v1/webhooks/${body.id}`)))
  return body
}

async function print(): Promise<string> {
  const { id: printerId } = await platen.api.printer('Test A4 Laser')
  const content = makePdf('Hello').toString('base64')
  return (await platen.api.createJob({ printerId, title: 'Hello', contentType: 'pdf_base64', content })).id
}

const ofJob = (deliveries: Delivered[], jobId: string) =>
  deliveries.filter(({ body }) => JSON.parse(body).data.id === jobId)

test('a job printed in test mode is delivered state by state, signed, in the very bytes that the feed has', async () => {
  const types = WALK.map((state) => `printjob.${state}`)
  const { secret } = await createEndpoint(`${receiver.url}/walk`, types)
  const jobId = await print()
  const deliveries = await waitFor(() => {
    const found = ofJob(receiver.at('/walk'), jobId)
    expect(found).toHaveLength(WALK.length)
    return found
  }, 30_000)

  const events = deliveries.map((delivery) => ({ delivery, event: verify(delivery, secret) }))
  const inOrder = events.toSorted((a, b) => a.event.sequence - b.event.sequence)
  expect(inOrder.map(({ event }) => event.type)).toEqual(types)
  expect(inOrder.map(({ event }) => event.data.state)).toEqual(WALK)
  const { body } = await platen.api.get(`/v1/printjobs/${jobId}/events`)
  expect(inOrder.map(({ event }) => event.id)).toEqual(body.data.map(({ id }: { id: string }) => id))
  for (const { delivery, event } of inOrder) {
    const { baseUrl, testKey } = platen.credentials
    const headers = { authorization: `Bearer ${testKey}` }
    const answer = await fetch(`${baseUrl}/v1/events/${event.id}`, { headers })
    expect(delivery.headers['webhook-id']).toBe(event.id)
    expect(delivery.body).toBe(await answer.text())
  }
})

test('a delivery that fails comes again with the same id and bytes, and a test delivery comes at once', async () => {
  const { id, secret } = await createEndpoint(`${receiver.url}/again`, ['printjob.done'])
  receiver.answerBy(({ path }, earlier) => (path === '/again' && earlier === 0 ? 500 : 204))
  const { status, body: delivery } = await platen.api.post(`/v1/webhooks/${id}/test`, { type: 'printer.offline' })
  expect(status).toBe(202)
  const [first, second] = await waitFor(() => {
    expect(receiver.at('/again')).toHaveLength(2)
    return receiver.at('/again')
  }, 60_000)
  if (!first || !second) throw new Error('nothing came')
  expect(verify(first, secret)).toMatchObject({ id: delivery.eventId, type: 'printer.offline', mode: 'test' })
  expect(second.body).toBe(first.body)
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
  expect(verify(second, secret).id).toBe(delivery.eventId)
})

test('listen forwards what happens from then on to a local address, signed with the secret that it prints', async () => {
  const before = await print()
  await platen.api.waitUntilFinal(before)
  // The feed is written behind the jobs: what it has later would come after "from then on".
  await waitFor(async () => {
    const { body } = await platen.api.get('/v1/events?dir=asc&limit=100&type=printjob.done')
    expect(body.data.map(({ data }: { data: { id: string } }) => data.id)).toContain(before)
  })
  const { baseUrl, testKey } = platen.credentials
  const options = ['--server', baseUrl, '--key', testKey, '--type', 'printjob.*', '--forward', `${receiver.url}/local`]
  const listener = start(process.execPath, [LISTEN, 'listen', ...options])
  await waitFor(() => expect(listener.output()).toContain('whsec_'), START_LIMIT_MS)
  // It has no word for it: from the moment on in which the first of our jobs arrives it listens.
  const jobs: string[] = []
  await waitFor(async () => {
    jobs.push(await print())
    await waitFor(() => expect(receiver.at('/local').length).toBeGreaterThan(0), 2_000)
  }, 20_000)
  const last = await print()
  const delivered = await waitFor(() => {
    const found = ofJob(receiver.at('/local'), last)
    expect(found.map(({ body }) => JSON.parse(body).data.state)).toEqual(WALK)
    return found
  }, 30_000)

  const [secret = ''] = listener.output().match(/whsec_\S+/) ?? []
  for (const delivery of delivered) expect(verify(delivery, secret).id).toBe(delivery.headers['webhook-id'])
  expect(ofJob(receiver.at('/local'), before)).toEqual([])
  const ids = receiver.at('/local').map(({ headers }) => headers['webhook-id'])
  expect(ids.length).toBe(new Set(ids).size)
  const doneId = delivered.at(-1)?.headers['webhook-id']
  await waitFor(() => expect(listener.output()).toMatch(new RegExp(`printjob\\.done ${doneId} 204 \\d+ ms`)))
})

test('listen says what is wrong with the key and with a type', async () => {
  const { baseUrl, testKey } = platen.credentials
  const refusal = async (...options: string[]) => {
    const args = ['listen', '--server', baseUrl, '--forward', receiver.url, ...options]
    const { ended, output } = start(process.execPath, [LISTEN, ...args])
    await ended
    return output()
  }
  expect(await refusal('--key', 'platen_test_wrong')).toContain('does not know this key')
  expect(await refusal('--key', testKey, '--type', 'printjob.lost')).toMatch(/400 invalid_request: .*`type`/)
})

for (const { language, file, command } of [
  { language: 'ts', file: 'receive.ts', command: process.execPath },
  { language: 'python', file: 'receive.py', command: 'python3' },
])
  test.skipIf(!isThere(command))(
    `the ${language} program of the guide takes what is delivered, once, and refuses what was tampered with`,
    async () => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}/hook`
      const { id, secret } = await createEndpoint(url, ['printjob.done'])
      const directory = await mkdtemp(join(tmpdir(), 'platen-guide-'))
      onTestFinished(() => rm(directory, { recursive: true }))
      await symlink(fileURLToPath(new URL('node_modules', ROOT)), join(directory, 'node_modules'))
      await writeFile(join(directory, file), block(language))
      const program = start(command, [file], { cwd: directory, env: { WEBHOOK_SECRET: secret, PORT: String(port) } })
      await waitFor(() => expect(program.output()).toContain(`listening on ${port}`), START_LIMIT_MS)

      const jobId = await print()
      const eventId = await waitFor(() => {
        const [, found = ''] = program.output().match(new RegExp(`printjob\\.done (\\S+) ${jobId}`)) ?? []
        expect(found).not.toBe('')
        return found
      }, 30_000)
      await waitFor(async () => {
        const { body } = await platen.api.get(`/v1/webhooks/${id}/deliveries`)
        expect(body.data).toMatchObject([{ eventId, status: 'succeeded', lastStatusCode: 204 }])
      })

      const { body } = await platen.api.get(`/v1/events/${eventId}`)
      const send = async (changes: { body?: string; at?: Date; secret?: string; headers?: Record<string, string> }) => {
        const { body: text = JSON.stringify(body), at = new Date(), headers = {} } = changes
        const signature = new Webhook(changes.secret ?? secret).sign(eventId, at, JSON.stringify(body))
        const timestamp = String(Math.floor(at.getTime() / 1000))
        const signed = { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
        return (await fetch(url, { method: 'POST', body: text, headers: { ...signed, ...headers } })).status
      }
      const other = `whsec_${Buffer.alloc(24).toString('base64')}`
      const old = new Webhook(other).sign(eventId, new Date(), JSON.stringify(body))
      expect(await send({})).toBe(204)
      expect(await send({ body: JSON.stringify(body).replace('Hello', 'Hallo') })).toBe(401)
      expect(await send({ secret: other })).toBe(401)
      expect(await send({ headers: { 'webhook-id': 'another' } })).toBe(401)
      expect(await send({ at: new Date(Date.now() - 6 * 60_000) })).toBe(401)
      expect(await send({ headers: { 'webhook-signature': old } })).toBe(401)
      expect(await send({ headers: { 'webhook-signature': '' } })).toBe(401)
      expect(program.output().match(new RegExp(eventId, 'g'))).toHaveLength(1)
    },
  )

test('the guide is found from the README, and its links lead somewhere', async () => {
  expect(await readFile(new URL('README.md', ROOT), 'utf8')).toContain('(docs/webhooks.md)')
  const links = [...GUIDE.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(0)
  for (const link of links.filter((link) => !link.startsWith('http') && !link.startsWith('#')))
    expect(existsSync(new URL(`docs/${link}`, ROOT)), link).toBe(true)
})

function isThere(command: string): boolean {
  try {
    execFileSync(command, ['--version'])
    return true
  } catch {
    return false
  }
}

/** The only block of a language. */
function block(language: string): string {
  const found = [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, code = '']) => code,
  )
  expect(found).toHaveLength(1)
  return found.join('')
}

function start(command: string, args: string[], { cwd, env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const child: ChildProcess = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { output: () => output, ended }
}
