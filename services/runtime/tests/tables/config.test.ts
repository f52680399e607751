import { expect, test } from 'vitest'
import { z } from 'zod'
import { ConfigError, listenAddress, readEnvironment, seconds } from '../../config.ts'

const SCHEMA = z.object({ PLATEN_A: z.url(), PLATEN_B: listenAddress, PLATEN_C_SECONDS: seconds(60) })

test('all invalid variables are reported at once', () => {
  const read = () => readEnvironment(SCHEMA, { PLATEN_A: 'nowhere', PLATEN_B: '8080', PLATEN_C_SECONDS: '0' })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(/PLATEN_A: .*\n.*PLATEN_B: must be host:port\n.*PLATEN_C_SECONDS: /)
})

test('an empty or missing variable has its default', () => {
  const env = { PLATEN_A: 'http://a', PLATEN_B: '[::1]:80' }
  const read = { PLATEN_A: 'http://a', PLATEN_B: { host: '::1', port: 80 }, PLATEN_C_SECONDS: 60 }
  expect(readEnvironment(SCHEMA, env)).toEqual(read)
  expect(readEnvironment(SCHEMA, { ...env, PLATEN_C_SECONDS: '' })).toEqual(read)
})
