import { afterEach, expect, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'

afterEach(() => void vi.unstubAllEnvs())

test('the settings refuse an attempt that can end after its lease', () => {
  for (const name of ['ACCOUNTS', 'JOBS', 'DEVICES']) vi.stubEnv(`PLATEN_${name}_URL`, 'http://localhost')
  vi.stubEnv('PLATEN_NATS_URL', 'nats://localhost')
  vi.stubEnv('PLATEN_DATABASE_URL', 'postgres://localhost/platen')
  vi.stubEnv('PLATEN_RPC_LISTEN', 'localhost:1')
  vi.stubEnv('PLATEN_RPC_CALLERS', `gateway=${'0'.repeat(64)}`)
  vi.stubEnv('PLATEN_RPC_KEY', 'A'.repeat(32))
  vi.stubEnv('PLATEN_WEBHOOK_KEY', 'A'.repeat(43))
  vi.stubEnv('PLATEN_MAILBOX_DIR', '/nowhere')
  vi.stubEnv('PLATEN_WEBHOOK_RETRY_GAPS', '5,300')
  expect(readConfig()).toMatchObject({ webhookRetryGapsMs: [5_000, 300_000] })
  vi.stubEnv('PLATEN_WEBHOOK_RETRY_GAPS', '5,')
  vi.stubEnv('PLATEN_WEBHOOK_TIMEOUT_SECONDS', '26')
  vi.stubEnv('PLATEN_WEBHOOK_LEASE_SECONDS', '29')
  expect(readConfig).toThrow(
    /RETRY_GAPS: must be 1 to 20.*TIMEOUT_SECONDS: must be 25 or less.*LEASE_SECONDS: must be 30 or more/s,
  )
})
