import { expect, test } from 'vitest'
import { canaryOf, holds, secretsOf } from '../secrets.ts'

const TENANT = {
  organizationId: 'org',
  computerId: 'computer',
  key: 'sk_test_1234567890',
  credential: 'cc_abcdefghij',
  endpoints: [
    { facts: { id: 'e', organizationId: 'org', mode: 'test', events: ['printjob.done'] }, secret: 'whsec_abcdefgh' },
  ],
}
const [key, credential, contents, webhookSecret] = secretsOf(TENANT, 1)

test('a secret is found as it is, in hex, and in base64 wherever it begins', () => {
  if (!key || !credential || !contents || !webhookSecret) throw new Error('a tenant has four secrets')
  for (const before of ['', 'a', 'ab', 'abc']) {
    const text = Buffer.from(`${before}${canaryOf(TENANT, 1)} and more`)
    for (const encoding of ['latin1', 'hex', 'base64'] as const)
      expect(holds(Buffer.from(text.toString(encoding)), contents), `${encoding} after "${before}"`).toBe(true)
  }
  expect(holds(Buffer.from(`{"authorization":"Bearer ${TENANT.key}"}`), key)).toBe(true)
  expect(holds(Buffer.from(`credential=${TENANT.credential}`), credential)).toBe(true)
  expect(holds(Buffer.from('{"secret":"whsec_abcdefgh"}'), webhookSecret)).toBe(true)
})

test('what is not a secret is not found', () => {
  for (const secret of secretsOf(TENANT, 1))
    expect(holds(Buffer.from('org computer sk_test_123456789 canary cc_abcdefghi'), secret)).toBe(false)
})

test('another seed and another organization have another canary', () => {
  const canaries = [canaryOf(TENANT, 1), canaryOf(TENANT, 2), canaryOf({ ...TENANT, organizationId: 'other' }, 1)]
  expect(new Set(canaries).size).toBe(3)
})
