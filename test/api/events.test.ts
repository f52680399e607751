/** The event feed: the events of jobs, and `platen webhooks listen` on it. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { proves } from '../harness/rules.ts'
import { waitFor } from '../harness/wait-for.ts'
import { verify } from '../harness/webhook-receiver.ts'
import { followFeed } from './follow-feed.ts'
import { newHook } from './hooks.ts'
import { installation, newJob, newOrganization } from './installation.ts'

const PLATEN = fileURLToPath(new URL('../../clients/cli/main.ts', import.meta.url))
const WALK = ['queued', 'sent', 'received', 'printing', 'done']

test('the feed has each state on the way to done, with the id of the job event and the job as it was then', async () => {
  proves('state.webhook')
  proves(...WALK.map((state) => `event.printjob.${state}`))
  const { api, connectAgent } = await newOrganization()
  const { printerId } = await connectAgent()
  const news = followFeed(api, 'type=printjob.*')
  const created = await api.createJob(newJob(printerId, { options: { copies: 1 }, qty: 2 }))
  const done = await api.waitUntilFinal(created.id)
  const notYet = { sentAt: null, receivedAt: null, printingAt: null, finishedAt: null, confirmedBy: null }
  const { sentAt, receivedAt, printingAt } = done
  const jobs = [
    created,
    { ...done, state: 'sent', ...notYet, sentAt },
    { ...done, state: 'received', ...notYet, sentAt, receivedAt },
    { ...done, state: 'printing', ...notYet, sentAt, receivedAt, printingAt },
    done,
  ]
  const { body } = await api.get(`/v1/printjobs/${created.id}/events`)
  const expected = body.data.map(({ id, state, createdAt }: Record<string, string>, at: number) => {
    return { id, type: `printjob.${state}`, timestamp: createdAt, mode: 'live', sequence: at + 1, data: jobs[at] }
  })
  expect(await news(5)).toEqual(expected)
  for (const event of expected) expect((await api.get(`/v1/events/${event.id}`)).body).toEqual(event)
})

function listen(key: string, ...options: string[]) {
  const env = { ...process.env, PLATEN_URL: installation.credentials.baseUrl, PLATEN_KEY: key }
  const child = spawn(process.execPath, [PLATEN, 'webhooks', 'listen', ...options], { env, stdio: 'pipe' })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  return { output: () => output, ended }
}

test('listen forwards what happens from then on, signed with the secret that it prints', async () => {
  const { api, connectAgent } = await newOrganization()
  const { printerId } = await connectAgent()
  const print = async (): Promise<string> => (await api.createJob(newJob(printerId))).id
  const news = followFeed(api, 'type=printjob.*')
  const before = await print()
  await news(5)
  const hook = await newHook()
  const ofJob = (id: string) => hook.requests().filter(({ body }) => JSON.parse(body).data.id === id)
  const listener = listen(api.key, '--type', 'printjob.*', '--forward', hook.url)
  await waitFor(() => expect(listener.output()).toContain('whsec_'))
  // It listens once the first job of this test arrives.
  await waitFor(async () => {
    await print()
    await waitFor(() => expect(hook.requests()).not.toEqual([]), 1_000)
  })
  const last = await print()
  const delivered = await waitFor(() => {
    expect(ofJob(last).map(({ body }) => JSON.parse(body).data.state)).toEqual(WALK)
    return ofJob(last)
  })
  const [secret = ''] = listener.output().match(/whsec_\S+/) ?? []
  for (const delivery of delivered) expect(verify(delivery, secret).id).toBe(delivery.headers['webhook-id'])
  expect(ofJob(before)).toEqual([])
  const ids = hook.requests().map(({ headers }) => headers['webhook-id'])
  expect(ids.length).toBe(new Set(ids).size)
  const doneId = delivered.at(-1)?.headers['webhook-id']
  await waitFor(() => expect(listener.output()).toMatch(new RegExp(`printjob\\.done ${doneId} 204 \\d+ ms`)))

  const refused = listen('platen_test_wrong', '--forward', hook.url)
  await refused.ended
  expect(refused.output()).toContain('unauthorized')
})
