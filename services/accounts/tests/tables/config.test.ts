import { beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../../config.ts'

beforeEach(() => {
  vi.stubEnv('PLATEN_RPC_LISTEN', 'localhost:1')
  vi.stubEnv('PLATEN_RPC_CALLERS', `gateway=${'0'.repeat(64)}`)
  vi.stubEnv('PLATEN_DATABASE_URL', 'postgres://localhost/platen')
  vi.stubEnv('PLATEN_SIGN_IN_KEY', 'A'.repeat(43))
  vi.stubEnv('PLATEN_SMTP_URL', undefined)
  vi.stubEnv('PLATEN_PUBLIC_URL', undefined)
  return () => vi.unstubAllEnvs()
})

test('a mail server requires the address of the dashboard', () => {
  expect(readConfig().mail.to).toBeUndefined()
  vi.stubEnv('PLATEN_SMTP_URL', 'smtp://mail.example.com')
  expect(readConfig).toThrow(/PLATEN_PUBLIC_URL: must be set with PLATEN_SMTP_URL, .*https:/)
  vi.stubEnv('PLATEN_PUBLIC_URL', 'https://print.example.com')
  expect(readConfig().mail.to).toMatchObject({ host: 'mail.example.com' })
})
