import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { signatures } from '../delivery/sign.ts'
import { newSecret } from './delivery-rows.ts'

test('the public vector of Standard Webhooks', () => {
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
  expect(signatures(message, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

test('each secret signs, in the order given, and the public library verifies by any of them and by no other', () => {
  const [present, older, other] = [newSecret(), newSecret(), newSecret()]
  const message = {
    id: '0190a5e0-0000-7000-8000-000000000000',
    timestamp: Math.floor(Date.now() / 1000),
    body: '{"ü":"✓"}',
  }
  const signature = signatures(message, [present, older])
  expect(signature).toBe(`${signatures(message, [present])} ${signatures(message, [older])}`)
  const headers = {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': signature,
  }
  expect(new Webhook(present).verify(message.body, headers)).toEqual({ ü: '✓' })
  expect(new Webhook(older).verify(message.body, headers)).toEqual({ ü: '✓' })
  expect(() => new Webhook(other).verify(message.body, headers)).toThrow('No matching signature')
})
