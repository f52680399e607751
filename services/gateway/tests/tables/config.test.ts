import { beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'

const RPC_SECRET = 'the secret between services'
const SIGNING_KEYS = 'the new signing key,the old signing key'

beforeEach(() => {
  vi.stubEnv('PLATEN_RPC_SECRET', RPC_SECRET)
  vi.stubEnv('PLATEN_SIGNING_KEY', undefined)
  vi.stubEnv('PLATEN_FILE_STORE_URL', 'file:///tmp/files')
  vi.stubEnv('PLATEN_UPGRADE_URL', 'https://example.com')
  for (const service of ['ACCOUNTS', 'JOBS', 'DEVICES', 'USAGE', 'WEBHOOKS'])
    vi.stubEnv(`PLATEN_${service}_URL`, 'http://localhost')
  return () => vi.unstubAllEnvs()
})

test('PLATEN_SIGNING_KEY signs; without it each entry of PLATEN_RPC_SECRET is a signing key', () => {
  expect(readConfig().signingKeys.join()).toBe(RPC_SECRET)
  vi.stubEnv('PLATEN_SIGNING_KEY', SIGNING_KEYS)
  expect(readConfig().signingKeys.join()).toBe(SIGNING_KEYS)
  expect(readConfig().rpcSecret.join()).toBe(RPC_SECRET)
})
