import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { readEnvironment } from '../../config.ts'
import { databaseSettings, databaseVariables } from '../../database/settings.ts'
import { CERTIFICATE } from '../certificate.ts'

const SERVER = 'postgres://platen_*:p%40ss@db.example:6432/platen'

const read = (url: string, more: Record<string, string> = {}) =>
  databaseSettings(readEnvironment(z.object(databaseVariables('jobs')), { PLATEN_DATABASE_URL: url, ...more }))

function write(content: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'platen-ca-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'ca.pem'), content)
  return join(directory, 'ca.pem')
}

test('the URL has address, user, password and database, without TLS', () =>
  expect(read(SERVER)).toEqual({
    migrations: 'run',
    server: { host: 'db.example', port: 6432, user: 'platen_jobs', password: 'p@ss', database: 'platen', ssl: false },
  }))

test('sslmode has the meaning that libpq documents', () => {
  const ca = write(CERTIFICATE)
  const tls = (query: string) => read(`${SERVER}?${query}`).server.ssl
  const anyName = { ca: CERTIFICATE, checkServerIdentity: expect.any(Function) }
  expect(tls('sslmode=disable')).toBe(false)
  expect(tls('sslmode=require')).toEqual({ rejectUnauthorized: false })
  expect(tls(`sslmode=require&sslrootcert=${ca}`)).toEqual(anyName)
  expect(tls(`sslmode=verify-ca&sslrootcert=${ca}`)).toEqual(anyName)
  expect(tls(`sslmode=verify-full&sslrootcert=${ca}`)).toEqual({ ca: CERTIFICATE })
  expect(tls('sslmode=verify-full')).toEqual({})
})

test.each(['', '?sslmode=disable', '?sslmode=require'])('a CA file means verify-full for a URL with "%s"', (query) =>
  expect(read(SERVER + query, { PLATEN_DATABASE_CA_FILE: write(CERTIFICATE) }).server.ssl).toEqual({ ca: CERTIFICATE }),
)

test.each([
  ['mysql://db.example/platen', 'must be postgres://'],
  ['postgres:///platen', 'must be postgres://'],
  ['postgres://db.example', 'must be postgres://'],
  ['postgres://a,b:5432,c/platen', 'must be postgres://'],
  [`${SERVER}?sslmode=prefer`, 'unknown sslmode'],
  [`${SERVER}?sslmode=verify-ca`, 'requires sslrootcert'],
  [`${SERVER}?sslrootcert=/ca.pem`, 'requires sslmode'],
  [`${SERVER}?sslmode=verify-full&sslrootcert=/missing.pem`, 'sslrootcert that cannot be read'],
  [`${SERVER}?pool_mode=session`, 'unknown parameter pool_mode'],
])('the URL %s is refused without its password', (url, message) => {
  expect(() => read(url)).toThrow('PLATEN_DATABASE_URL: ')
  expect(() => read(url)).toThrow(message)
  expect(() => read(url)).not.toThrow('p%40ss')
})

test('a CA file without a certificate, and less than 6 connections are refused', () => {
  const ca = write('nothing')
  expect(() => read(SERVER, { PLATEN_DATABASE_CA_FILE: ca, PLATEN_DATABASE_CONNECTIONS: '5' })).toThrow(
    /PLATEN_DATABASE_CA_FILE: is not a PEM file.*\n.*PLATEN_DATABASE_CONNECTIONS: /,
  )
  expect(read(SERVER, { PLATEN_DATABASE_CONNECTIONS: '6' }).connections).toBe(6)
})
