/**
 * No key, credential, token, secret or document of any test of `test/api` is in a log, a span or a table, except the
 * table of small documents.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { findRunningInstallation } from '@platen/deploy/commands/running-installation.ts'
import { beforeAll, expect, inject, test } from 'vitest'
import { URL_CANARY } from '../api/hooks.ts'
import { CONTENT_CANARY, FETCH_CANARY, installation, TITLE_CANARY } from '../api/installation.ts'
import { openDatabase } from '../checker/collect.ts'
import { createSecret, findLeaks, readFiles, readTables, type Secret } from '../checker/secrets.ts'
import { proves } from '../harness/rules.ts'
import { requests } from './records.ts'

type Source = [name: string, text: Buffer]

let logs: Source[]
let spans: Source[]
let tables: Source[]

beforeAll(async () => {
  const { ports, secrets } = await findRunningInstallation({ PLATEN_DATA_DIR: installation.dataDir })
  const database = openDatabase(`postgres://platen:${secrets.postgresPassword}@127.0.0.1:${ports.postgres}/platen`)
  tables = await collect(readTables(database))
  await database.end()
  logs = await collect(readFiles(join(installation.dataDir, 'logs')))
  const response = await fetch(`${inject('installationUrl')}/spans`)
  spans = [['spans', Buffer.from(await response.arrayBuffer())]]
  expect(response.status, spans[0]?.[1].toString()).toBe(200)
})

async function collect(sources: AsyncIterable<Source>): Promise<Source[]> {
  const collected: Source[] = []
  for await (const source of sources) collected.push(source)
  return collected
}

const sha256 = (secret: string) => createHash('sha256').update(secret).digest('hex')
const keys = new Set(requests.filter(({ status }) => status !== 401).map(({ headers }) => headers.authorization ?? ''))
const apiKeys = [...keys].flatMap((header) => header.match(/platen_(test|live)_\w+/)?.[0] ?? [])
const answered = (field: string): string[] =>
  [...new Set(requests.flatMap(({ body }) => body?.[field] ?? []))] as string[]
const secrets = answered('secret')
const isWebhookSecret = (secret: string) => secret.startsWith('whsec_')
const SECRETS: [kind: string, values: string[]][] = [
  ['API key', apiKeys],
  ['enrolment token', answered('token')],
  ["agent's credential", answered('credential')],
  ['webhook secret', secrets.filter(isWebhookSecret).map((secret) => secret.slice('whsec_'.length))],
  ['secret of a print access', secrets.filter((secret) => !isWebhookSecret(secret))],
]

async function leaks(sources: Source[], secrets: Secret[]) {
  expect(sources.reduce((size, [, text]) => size + text.length, 0)).toBeGreaterThan(100_000)
  return await findLeaks(
    (async function* () {
      yield* sources
    })(),
    secrets,
  )
}

test.each(SECRETS)('no %s is in a log, a span or a table', async (kind, values) => {
  expect(values).not.toHaveLength(0)
  // Only as plain text, because there are hundreds of secrets. The tests below search for encoded forms.
  const secrets = values.map((value) => ({ name: kind, forms: [Buffer.from(value)] }))
  expect(await leaks([...logs, ...spans, ...tables], secrets)).toEqual([])
})

test('no hash of a key or a credential is in a log or a span', async () => {
  const hashes = [...apiKeys, ...answered('credential')].map((secret) => ({
    name: secret,
    forms: [Buffer.from(sha256(secret))],
  }))
  expect(await leaks([...logs, ...spans], hashes)).toEqual([])
})

test.each([
  ['contents', CONTENT_CANARY, true],
  ['URLs and credentials of fetches', FETCH_CANARY, true],
  ['URLs of endpoints', URL_CANARY, false],
  ['titles', TITLE_CANARY, false],
  ['beginnings of keys as hex or base64', 'platen_test_', true],
])('no %s are in a log or a span, in any encoding', async (kind, canary, orInTable) => {
  proves('fetch.credentials.logged')
  const { forms } = createSecret(kind, canary)
  // Keys have a visible prefix.
  const secret = { name: kind, forms: canary.startsWith('platen') ? forms.slice(1) : forms }
  expect(await leaks([...logs, ...spans, ...(orInTable ? tables : [])], [secret])).toEqual([])
})

test('the database has only the SHA-256 of a key and of a credential', () => {
  proves('auth.key.hash', 'auth.key.shown-once', 'agent.credential.hash')
  const stored = tables.map(([, text]) => text.toString()).join('\n')
  const isHashed = (secret: string) => stored.includes(sha256(secret))
  expect(apiKeys.filter((key) => !isHashed(key))).toEqual([])
  // Except those of deleted computers.
  expect(answered('credential').filter(isHashed)).not.toHaveLength(0)
})
