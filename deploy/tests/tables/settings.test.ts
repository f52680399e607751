import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CALLING_SERVICES } from '@platen/runtime/rpc/callers.ts'
import { CERTIFICATE } from '@platen/runtime/tests/certificate.ts'
import { expect, test } from 'vitest'
import { writePrivateJson } from '../../launcher/private-file.ts'
import { openSecrets } from '../../launcher/secrets.ts'
import { readSettings } from '../../launcher/settings.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

test('all invalid settings are reported at once', () => {
  const bad = { PLATEN_PORT: '65536', PLATEN_AGENT_PORT: 'http', PLATEN_HOST: 'a b', PLATEN_LOG_LEVEL: 'loud' }
  for (const name of Object.keys(bad)) expect(() => readSettings(bad)).toThrow(name)
})

test('ports are from 1 to 65535 and must differ', () => {
  expect(readSettings({ PLATEN_PORT: '1', PLATEN_AGENT_PORT: '65535' })).toMatchObject({ port: 1, agentPort: 65535 })
  expect(() => readSettings({ PLATEN_PORT: '0' })).toThrow('PLATEN_PORT')
  expect(() => readSettings({ PLATEN_PORT: '8090' })).toThrow('PLATEN_AGENT_PORT: must differ')
})

test.each([
  [undefined, 'http://localhost:8080'],
  ['0.0.0.0', 'http://localhost:8080'],
  ['print.example.org', 'http://print.example.org:8080'],
  ['fd00::1', 'http://[fd00::1]:8080'],
])('with the host %s it is reached at %s', (host, baseUrl) => {
  expect(readSettings({ PLATEN_HOST: host }).baseUrl).toBe(baseUrl)
})

test('without a host and without TLS only this computer is served', async () => {
  expect(readSettings({})).toMatchObject({ host: '127.0.0.1', isOnlyLocal: true, isReachable: false })
  const any = { host: '0.0.0.0', isOnlyLocal: false, isReachable: true }
  expect(readSettings({ PLATEN_HOST: '0.0.0.0' })).toMatchObject(any)
})

test('a host of loopback is for this computer', () => {
  expect(readSettings({ PLATEN_HOST: '127.0.0.1' })).toMatchObject({ host: '127.0.0.1', isReachable: false })
})

test('other computers reach it through the proxy of its public address', () => {
  const settings = readSettings({ PLATEN_PUBLIC_URL: 'https://print.example.com' })
  expect(settings).toMatchObject({ host: '127.0.0.1', isOnlyLocal: true, isReachable: true })
})

test('a certificate serves all addresses, with URLs for which it is valid', async () => {
  const file = join(await temporaryDirectory(), 'cert.pem')
  await writeFile(file, CERTIFICATE)
  const tls = { PLATEN_TLS_CERT_FILE: file, PLATEN_TLS_KEY_FILE: 'key.pem' }
  const named = { baseUrl: 'https://files.example.com:8080', agentUrl: 'https://files.example.com:8090' }
  expect(readSettings(tls)).toMatchObject({ ...named, host: undefined, isOnlyLocal: false })
  expect(readSettings({ ...tls, PLATEN_HOST: '192.0.2.1' })).toMatchObject({ baseUrl: 'https://192.0.2.1:8080' })
  expect(readSettings({ ...tls, PLATEN_HOST: '192.0.2.2' })).toMatchObject({ ...named, host: '192.0.2.2' })
})

test.each(['PLATEN_TLS_CERT_FILE', 'PLATEN_TLS_KEY_FILE'])('%s alone is refused', (name) => {
  expect(() => readSettings({ [name]: '/a/file' })).toThrow('must be set together')
})

test('secrets are created once, are different, and only their owner can read them', async () => {
  const file = join(await temporaryDirectory(), 'secrets.json')
  const secrets = await openSecrets(file)
  expect(await openSecrets(file)).toEqual(secrets)
  const { rpcKeys, ...others } = secrets
  expect(Object.keys(rpcKeys)).toEqual(CALLING_SERVICES)
  expect(new Set([...Object.values(rpcKeys), ...Object.values(others)]).size).toBe(14)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('the one secret for calls of an earlier release goes on as the signing key, which it also was', async () => {
  const file = join(await temporaryDirectory(), 'secrets.json')
  const { rpcKeys: _, signingKey: __, ...kept } = await openSecrets(file)
  writePrivateJson(file, { ...kept, rpcSecret: 'new,old' })
  const upgraded = await openSecrets(file)
  expect(upgraded).toEqual({ ...kept, rpcKeys: expect.any(Object), signingKey: 'new,old' })
  expect(await openSecrets(file)).toEqual(upgraded)
})
