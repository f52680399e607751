import { beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'

beforeEach(() => {
  for (const name of ['RPC', 'SIGNING']) vi.stubEnv(`PLATEN_${name}_KEY`, 'a-key-of-the-test-of-32-characters')
  vi.stubEnv('PLATEN_FILE_STORE_URL', 'file:///tmp/files')
  vi.stubEnv('PLATEN_UPGRADE_URL', 'https://example.com')
  for (const service of ['ACCOUNTS', 'JOBS', 'DEVICES', 'USAGE', 'WEBHOOKS'])
    vi.stubEnv(`PLATEN_${service}_URL`, 'http://localhost')
  return () => vi.unstubAllEnvs()
})

test.each<[string, string | undefined, boolean, string | undefined]>([
  ['with a certificate', undefined, true, 'max-age=2592000'],
  ['without a certificate', undefined, false, undefined],
  ['with a certificate and a time', '600', true, 'max-age=600; includeSubDomains'],
  ['with a time alone', '600', false, 'max-age=600; includeSubDomains'],
  ['with a certificate and 0', '0', true, undefined],
])('Strict-Transport-Security %s', (_, seconds, hasTls, hsts) => {
  vi.stubEnv('PLATEN_HSTS_SECONDS', seconds)
  for (const file of ['CERT', 'KEY']) vi.stubEnv(`PLATEN_TLS_${file}_FILE`, hasTls ? '/tmp/pem' : undefined)
  expect(readConfig().hsts).toBe(hsts)
})
