import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { type ReceiverOptions, startWebhookReceiver, verify } from '../webhook-receiver.ts'

const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`

async function start(options?: ReceiverOptions) {
  const receiver = await startWebhookReceiver(options)
  onTestFinished(() => receiver.stop())
  return receiver
}

test('what is delivered is kept byte for byte, and its signature is verified by the public library', async () => {
  const receiver = await start()
  const body = '{"title":  "Grüße"}'
  const at = new Date()
  const headers = {
    'webhook-id': 'one',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('one', at, body),
  }

  const { status } = await fetch(`${receiver.url}/hook?shop=1`, { method: 'POST', body, headers })

  expect(status).toBe(204)
  const [delivered] = receiver.at('/hook?shop=1')
  if (!delivered) throw new Error('nothing came')
  expect(delivered.body).toBe(body)
  expect(verify(delivered, SECRET)).toEqual({ title: 'Grüße' })
  expect(() => verify({ ...delivered, body: `${body} ` }, SECRET)).toThrow('No matching signature found')
})

test('a script answers by what was asked for, and by how often', async () => {
  const receiver = await start({
    script: ({ path }, earlier) =>
      path === '/down' ? 'close' : earlier < 2 ? 503 : { status: 200, body: 'thanks', headers: { 'x-shop': 'yes' } },
  })
  const post = (path: string, id: string) =>
    fetch(receiver.url + path, { method: 'POST', body: '{}', headers: { 'webhook-id': id } })

  const statuses = []
  for (const id of ['a', 'a', 'b', 'a']) statuses.push((await post('/hook', id)).status)
  expect(statuses).toEqual([503, 503, 503, 200])
  await expect(post('/down', 'a')).rejects.toThrow('fetch failed')
  receiver.answerBy(() => 410)
  expect((await post('/hook', 'a')).status).toBe(410)
})

test('a full receiver says so', async () => {
  const receiver = await start({ keptMax: 1 })
  const post = async () => (await fetch(receiver.url, { method: 'POST', body: '{}' })).status

  expect([await post(), await post()]).toEqual([204, 507])
  expect(receiver.received).toHaveLength(1)
})
