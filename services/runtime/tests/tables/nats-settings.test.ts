import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { readEnvironment } from '../../config.ts'
import { describeCredential, NATS_VARIABLES, natsSettings } from '../../messaging/settings.ts'
import { CERTIFICATE } from '../certificate.ts'

const read = (url: string, more: Record<string, string> = {}) => {
  const variables = Object.entries(more).map(([name, value]) => [`PLATEN_NATS_${name}`, value])
  const env = { PLATEN_NATS_URL: url, ...Object.fromEntries(variables) }
  return natsSettings(readEnvironment(z.object(NATS_VARIABLES), env))
}

function write(content: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'platen-nats-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'file'), content)
  return join(directory, 'file')
}

test.each([
  ['nats://a:4222', {}, { servers: ['a:4222'] }],
  ['nats://t%40ken@a', {}, { servers: ['a'], token: 't@ken' }],
  ['nats://user:p%3Ass@a, nats://user:p%3Ass@b', {}, { servers: ['a', 'b'], user: 'user', pass: 'p:ss' }],
  ['tls://a,tls://b:4333', {}, { servers: ['a', 'b:4333'], tls: {} }],
  ['nats://10.0.0.1', { TOKEN: 'token' }, { servers: ['10.0.0.1'], token: 'token' }],
  ['nats://a', { USER: 'user', PASSWORD: 'secret' }, { servers: ['a'], user: 'user', pass: 'secret' }],
])('%s with %o', (url, more, connection) =>
  expect(read(url, more as Record<string, string>)).toEqual({ connection, replicas: 1 }),
)

test.each([
  ['nats://platen_*:secret@a', {}, 'platen_jobs'],
  ['nats://a', { USER: 'platen_*', PASSWORD: 'secret' }, 'platen_jobs'],
  ['nats://secret@a', {}, 'token'],
  ['nats://a', {}, 'none'],
])('the credential of jobs by %s and %o is named without its secret', (url, more, credential) =>
  expect(describeCredential(read(url, more as Record<string, string>), 'jobs')).toBe(credential),
)

test('a CA file requires TLS', () =>
  expect(read('nats://a', { CA_FILE: write(CERTIFICATE), REPLICAS: '3' })).toEqual({
    connection: { servers: ['a'], tls: { ca: CERTIFICATE } },
    replicas: 3,
  }))

test('a credentials file signs the nonce of the server', () => {
  const seed = 'SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY'
  const file = write(
    `-----BEGIN NATS USER JWT-----\njwt\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
  )
  const settings = read('nats://a', { CREDENTIALS_FILE: file })
  expect(settings.connection.authenticator).toBeTypeOf('function')
  expect(describeCredential(settings, 'jobs')).toBe('')
})

test.each([
  ['localhost:4222', {}, 'PLATEN_NATS_URL: must be'],
  ['ws://secret@a', {}, 'PLATEN_NATS_URL: must be'],
  ['nats://a/secret', {}, 'PLATEN_NATS_URL: must be'],
  ['nats://:secret@a', {}, 'PLATEN_NATS_URL: must be'],
  ['nats://a,tls://b', {}, 'PLATEN_NATS_URL: must be'],
  ['nats://secret@a,nats://other@b', {}, 'PLATEN_NATS_URL: must be'],
  ['nats://a', { REPLICAS: '2' }, 'PLATEN_NATS_REPLICAS'],
  ['nats://a', { USER: 'user' }, 'PLATEN_NATS_PASSWORD together'],
  ['nats://secret@a', { TOKEN: 'secret' }, 'only one of'],
  ['nats://a', { TOKEN: 'secret', USER: 'user', PASSWORD: 'secret' }, 'only one of'],
  ['nats://a', { CREDENTIALS_FILE: '/missing' }, 'PLATEN_NATS_CREDENTIALS_FILE: cannot be read'],
  ['nats://a', { CREDENTIALS_FILE: '/dev/null' }, 'PLATEN_NATS_CREDENTIALS_FILE: is not'],
  ['nats://a', { CA_FILE: '/dev/null' }, 'PLATEN_NATS_CA_FILE: is not'],
  ['tls://10.0.0.1:4222', {}, 'host names instead of IP addresses'],
  ['tls://a,tls://[::1]:4222', {}, 'host names instead of IP addresses'],
])('%s with %o is refused without its secret', (url, more, message) => {
  expect(() => read(url, more as Record<string, string>)).toThrow(message)
  expect(() => read(url, more as Record<string, string>)).not.toThrow('secret')
})
