import { readFileSync } from 'node:fs'
import { proves } from '@platen/test/harness/rules.ts'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { makeSecret, sign } from '../../delivery/sign.ts'

test('a signature equals the public vector of Standard Webhooks', () => {
  proves('delivery.signature')
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
  expect(sign(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

test('the test vector of `docs/webhooks.md` is what the service sends', () => {
  const guide = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8')
  const found = /^secret: (.*)\nwebhook-id: (.*)\nwebhook-timestamp: (.*)\nwebhook-signature: (.*)\n\n(.*)$/m.exec(
    guide,
  )
  const [, secret = '', id = '', timestamp = '', signature, body = ''] = found ?? []
  expect(sign({ id, timestamp: Number(timestamp), body }, [secret])).toBe(signature)
  expect(new Webhook(secret).sign(id, new Date(Number(timestamp) * 1000), body)).toBe(signature)
})

test('each secret signs, in the given order; the public library accepts any of them and no other', () => {
  proves('delivery.signature')
  const [present, older, other] = [makeSecret(), makeSecret(), makeSecret()]
  const message = {
    id: '0190a5e0-0000-7000-8000-000000000000',
    timestamp: Math.floor(Date.now() / 1000),
    body: '{"ü":"✓"}',
  }
  const signature = sign(message, [present, older])
  expect(signature).toBe(`${sign(message, [present])} ${sign(message, [older])}`)
  const { id, timestamp, body } = message
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
  for (const secret of [present, older]) expect(new Webhook(secret).verify(body, headers)).toEqual({ ü: '✓' })
  expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature')
})
