import { expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { startTestGateway } from './start-test-gateway.ts'
import { AT, COMPUTER_ID } from './start-test-services.ts'

async function startLive(scopes = ['admin']) {
  const { api, services } = await startTestGateway()
  const authorization = `Bearer ${services.makeKey('live', scopes)}`
  return {
    enroll: (body: unknown, headers = {}) => api.post('/v1/enrollments', body, { authorization, ...headers }),
    api,
  }
}

const after = (seconds: number) => new Date(AT.getTime() + seconds * 1000).toISOString()

test.each([
  ['by default one use and 15 minutes', {}, 1, 900],
  ['1 use', { maxUses: 1 }, 1, 900],
  ['1000 uses', { maxUses: 1000 }, 1000, 900],
  ['60 seconds', { expiresInSeconds: 60 }, 1, 60],
  ['604800 seconds', { maxUses: 2, expiresInSeconds: 604_800 }, 2, 604_800],
])('%s', async (_, body, maxUses, seconds) => {
  const { enroll } = await startLive()
  const answer = await enroll(body)
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({ id: COMPUTER_ID, token: 'platen_enroll_x', expiresAt: after(seconds), maxUses })
})

test.each([
  ['maxUses 0', { maxUses: 0 }, /`maxUses`: must be an integer from 1 to 1000/],
  ['maxUses 1001', { maxUses: 1001 }, /`maxUses`/],
  ['maxUses as a text', { maxUses: '1' }, /`maxUses`/],
  ['maxUses null', { maxUses: null }, /`maxUses`/],
  ['expiresInSeconds 59', { expiresInSeconds: 59 }, /`expiresInSeconds`: must be an integer from 60 to 604800/],
  ['expiresInSeconds 604801', { expiresInSeconds: 604_801 }, /`expiresInSeconds`/],
  ['an unknown field', { uses: 1 }, /`uses`: not known here/],
])('%s is a 400', async (_, body, message) => {
  const { enroll } = await startLive()
  expectError(await enroll(body), 400, 'invalid_request', message)
})

test('a test key is a 422', async () => {
  const { api } = await startLive()
  expectError(await api.post('/v1/enrollments', {}), 422, 'mode_mismatch', /live key/)
})

test('a key without `admin` may not', async () => {
  const { enroll } = await startLive(['read', 'print'])
  expectError(await enroll({}), 403, 'insufficient_scope')
})
