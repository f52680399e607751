import { createHash } from 'node:crypto'
import { rpcCallers } from '@platen/runtime/rpc/callers.ts'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import {
  renderDatabaseSecrets,
  renderNatsSecrets,
  renderSecret,
  toSecretData,
} from '../../commands/create-secrets/manifest.ts'
import { createSecrets } from '../../launcher/secrets.ts'

test('a Secret is YAML that holds its data unchanged', () => {
  const data = { 'rpcKey-gateway': '12e3', number: '-0', text: 'a: "b" # c' }
  expect(parse(renderSecret('platen-secrets', data))).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'platen-secrets' },
    type: 'Opaque',
    stringData: data,
  })
})

test('each role of PostgreSQL has a Secret with a password of its own, which its URL contains', () => {
  const documents = renderDatabaseSecrets(new URL('postgresql://platen_*@db/platen')).join('\n---\n')
  const secrets = parseAllDocuments(documents).map((document) => document.toJS())
  expect(secrets.map(({ metadata }) => metadata.name)).toEqual(
    ['accounts', 'jobs', 'devices', 'usage', 'webhooks'].map((name) => `platen-database-${name}`),
  )
  for (const { metadata, stringData } of secrets) {
    const username = metadata.name.replace('platen-database-', 'platen_')
    const { password } = stringData
    expect(stringData).toEqual({ username, password, uri: `postgresql://${username}:${password}@db/platen` })
  }
  expect(new Set(secrets.map(({ stringData }) => stringData.password)).size).toBe(5)
})

test('each user of NATS has a Secret with a password of its own', () => {
  const secrets = renderNatsSecrets().map((document) => parse(document))
  expect(secrets.map(({ metadata, stringData }) => [metadata.name, stringData.user])).toEqual(
    ['gateway', 'jobs', 'devices', 'webhooks', 'test-computers', 'operator'].map((name) => [
      `platen-nats-${name}`,
      `platen_${name}`,
    ]),
  )
  expect(new Set(secrets.map(({ stringData }) => stringData.password)).size).toBe(6)
})

test('the digests of a new Secret are those of its keys, by the name of the service', () => {
  const data: Record<string, string> = toSecretData(createSecrets())
  const toDigest = (key: string) =>
    createHash('sha256')
      .update(data[key] ?? '')
      .digest('hex')
  for (const { name, digest } of rpcCallers.parse(data.rpcCallers))
    expect(digest.toString('hex')).toBe(toDigest(`rpcKey-${name}`))
  expect(data.operatorSecretSha256).toBe(toDigest('operatorSecret'))
})
