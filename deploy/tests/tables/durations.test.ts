/** The table of durations in docs/settings.md and the settings of the services. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { root } from '../../install/paths.mjs'

interface Row {
  name: string
  services: string[]
  default: number
}

const DURATION = /^\| `(PLATEN_\w+_SECONDS)` \| ([\w, ]+) \| `(\d+)` \|/

const documented = (): Row[] =>
  section('Durations').flatMap((line) => {
    const [, name = '', services = '', value] = DURATION.exec(line) ?? []
    return name ? [{ name, services: services.split(', '), default: Number(value) }] : []
  })

function section(title: string): string[] {
  const text = readFileSync(join(root, 'docs/settings.md'), 'utf8')
  const [, found = ''] = text.split(`\n## ${title}\n`)
  return (found.split('\n## ')[0] ?? '').split('\n')
}

const toConfigPath = (service: string) => join(root, 'services', service, 'config.ts')

const SERVICES = readdirSync(join(root, 'services'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && readdirSync(join(root, 'services', entry.name)).includes('config.ts'))
  .map(({ name }) => name)
  .filter((name) => name !== 'runtime')

async function readConfig(service: string): Promise<unknown> {
  const { readConfig } = (await import(toConfigPath(service))) as { readConfig: () => unknown }
  return readConfig()
}

const REQUIRED = {
  PLATEN_RPC_LISTEN: '127.0.0.1:4711',
  PLATEN_RPC_CALLERS: `gateway=${'0'.repeat(64)}`,
  PLATEN_RPC_KEY: 'A'.repeat(32),
  PLATEN_SIGNING_KEY: 'A'.repeat(32),
  PLATEN_DATABASE_URL: 'postgres://localhost/platen',
  PLATEN_NATS_URL: 'nats://localhost',
  PLATEN_FILE_STORE_URL: 'file:///tmp/files',
  PLATEN_FETCH_KEY: 'A'.repeat(43),
  PLATEN_WEBHOOK_KEY: 'A'.repeat(43),
  PLATEN_SIGN_IN_KEY: 'A'.repeat(43),
  PLATEN_MAILBOX_DIR: '/tmp/mailbox',
  PLATEN_AGENT_PORT: '8090',
  PLATEN_UPGRADE_URL: 'https://example.com',
  ...Object.fromEntries(
    ['ACCOUNTS', 'JOBS', 'DEVICES', 'USAGE', 'WEBHOOKS'].map((name) => [`PLATEN_${name}_URL`, 'http://localhost']),
  ),
}

beforeEach(() => {
  for (const [name, value] of Object.entries(REQUIRED)) vi.stubEnv(name, value)
  for (const { name } of documented()) vi.stubEnv(name, undefined)
  return () => vi.unstubAllEnvs()
})

test('the defaults of the table are those of the reference', () => {
  const values = Object.fromEntries(documented().map((row) => [row.name, row.default]))
  expect(values).toMatchObject({
    PLATEN_RESEND_AFTER_SECONDS: 60,
    PLATEN_PRINTING_TIMEOUT_SECONDS: 15 * 60,
    PLATEN_FETCH_TIMEOUT_SECONDS: 30,
    PLATEN_FETCH_HELD_SECONDS: 60 * 60,
    PLATEN_FILE_RETENTION_SECONDS: 7 * 24 * 60 * 60,
    PLATEN_IDEMPOTENCY_KEY_SECONDS: 24 * 60 * 60,
    PLATEN_JOB_RETENTION_SECONDS: 365 * 24 * 60 * 60,
    PLATEN_HEARTBEAT_SECONDS: 20,
    PLATEN_OFFLINE_GRACE_SECONDS: 30,
    PLATEN_AGENT_LOST_SECONDS: 24 * 60 * 60,
    PLATEN_AGENT_CREDENTIAL_SECONDS: 30 * 24 * 60 * 60,
    PLATEN_EVENT_RETENTION_SECONDS: 30 * 24 * 60 * 60,
    PLATEN_PRINTER_STATE_SECONDS: 10,
    PLATEN_WEBHOOK_DISABLE_AFTER_SECONDS: 5 * 24 * 60 * 60,
  })
})

describe.each(documented())('$name', ({ name, services, default: value }) => {
  test.each(services)('is read by %s, with the default that is documented', async (service) => {
    const unset = await readConfig(service)
    vi.stubEnv(name, String(value))
    expect(await readConfig(service)).toEqual(unset)
    vi.stubEnv(name, String(value + 1))
    expect(await readConfig(service)).not.toEqual(unset)
    vi.stubEnv(name, 'soon')
    await expect(readConfig(service)).rejects.toThrow(name)
  })

  test('is read by no other service', () => {
    const readers = SERVICES.filter((service) => readFileSync(toConfigPath(service), 'utf8').includes(name))
    expect(readers).toEqual(services.toSorted())
  })
})

test('every duration that a service reads is in the table, once', () => {
  const read = SERVICES.flatMap(
    (service) => readFileSync(toConfigPath(service), 'utf8').match(/PLATEN_\w+_SECONDS/g) ?? [],
  )
  expect(
    documented()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([...new Set(read)].toSorted())
})

test('every value that a service reads from its settings has its use in the service', () => {
  for (const service of SERVICES) {
    const source = readFileSync(toConfigPath(service), 'utf8')
    const values = [...source.matchAll(/^ {4}(\w+): env\.PLATEN_\w+_SECONDS/gm)].map(([, field]) => field)
    const uses = readFileSync(join(root, 'services', service, 'service.ts'), 'utf8')
    for (const field of values) expect(uses, `${service} of ${field}`).toMatch(new RegExp(`config\\.${field}\\b`))
  }
})
