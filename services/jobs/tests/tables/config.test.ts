import { ConfigError } from '@platen/runtime/config.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'

const NEEDED = {
  PLATEN_RPC_LISTEN: '127.0.0.1:1',
  PLATEN_RPC_CALLERS: `gateway=${'0'.repeat(64)}`,
  PLATEN_DATABASE_URL: 'postgres://127.0.0.1/jobs',
  PLATEN_NATS_URL: 'nats://127.0.0.1',
  PLATEN_FILE_STORE_URL: 'file:///files',
  PLATEN_FETCH_KEY: 'x'.repeat(43),
}

const DAY_SECONDS = 24 * 60 * 60
const WEEK_SECONDS = 7 * DAY_SECONDS

function read(settings: Record<string, string> = {}) {
  for (const [name, value] of Object.entries({ ...NEEDED, ...settings })) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { fetchTimeoutMs, fetchHeldMs, fileRetentionMs } = readConfig()
  return [fetchTimeoutMs, fetchHeldMs, fileRetentionMs]
}

test('the limits of fetches and files are set in seconds', () =>
  expect(
    read({ PLATEN_FETCH_TIMEOUT_SECONDS: '300', PLATEN_FETCH_HELD_SECONDS: '600', PLATEN_FILE_RETENTION_SECONDS: '1' }),
  ).toEqual([300_000, 600_000, 1_000]))

test.each([
  ['PLATEN_FETCH_TIMEOUT_SECONDS', '0'],
  ['PLATEN_FETCH_TIMEOUT_SECONDS', '301'],
  ['PLATEN_FETCH_HELD_SECONDS', '599'],
  ['PLATEN_FILE_RETENTION_SECONDS', '0'],
  ['PLATEN_FILE_RETENTION_SECONDS', '1.5'],
])('%s=%s is refused', (name, value) => expect(() => read({ [name]: value })).toThrow(name))

test.each([
  ['files', WEEK_SECONDS, {}],
  ['idempotency keys', 2 * WEEK_SECONDS, { PLATEN_IDEMPOTENCY_KEY_SECONDS: String(2 * WEEK_SECONDS) }],
])('jobs are kept as long as %s, longer, or for ever', (_, shortest, settings) => {
  const readWith = (retention: number) => read({ ...settings, PLATEN_JOB_RETENTION_SECONDS: String(retention) })
  for (const retention of [0, shortest, shortest + 1]) expect(() => readWith(retention)).not.toThrow()
  for (const retention of [1, shortest - 1]) {
    expect(() => readWith(retention)).toThrow(ConfigError)
    expect(() => readWith(retention)).toThrow(/PLATEN_JOB_RETENTION_SECONDS: must be 0, or not less than/)
  }
})
