/** The chart agrees with the services and with the documentation. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CERTIFICATE } from '@platen/runtime/tests/certificate.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { generate, readSettings, SERVICES } from '../../helm/generate.ts'
import { CI_FILES, cache, getPods, type Pod, renderObjects } from './helm.ts'

const root = join(import.meta.dirname, '../..')

afterEach(() => vi.unstubAllEnvs())

test.each(Object.entries(generate()))('%s is up to date', (path, content) => {
  expect(readFileSync(path, 'utf8') === content, 'Run `npm run generate:chart`.').toBe(true)
})

/** What the kubelet puts in place of a Secret. */
const SECRETS: Record<string, string> = {
  PLATEN_DATABASE_URL: 'postgresql://app:password@platen-db-rw:5432/app',
  PLATEN_FETCH_KEY: 'A'.repeat(43),
  PLATEN_WEBHOOK_KEY: 'A'.repeat(43),
  PLATEN_SIGN_IN_KEY: 'A'.repeat(43),
  PLATEN_RPC_CALLERS: `gateway=${'0'.repeat(64)}`,
  PLATEN_SMTP_URL: 'smtp://user:password@mail.example.com:587',
}

/** The key of the example in the documentation of NATS. */
const NATS_CREDENTIALS = `-----BEGIN NATS USER JWT-----
jwt
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY
------END USER NKEY SEED------
`

/** Sets the environment to that of a container. */
function enter({ container }: Pod): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('PLATEN_')) vi.stubEnv(name, undefined)
  for (const { name, value } of container.env) {
    const text = value ?? SECRETS[name] ?? 'a-secret-of-the-installation-0123'
    vi.stubEnv(name, name.endsWith('_FILE') ? writeMounted(name) : text)
  }
}

/** In place of a mounted file. */
function writeMounted(variable: string): string {
  const file = join(cache, variable)
  writeFileSync(file, variable === 'PLATEN_NATS_CREDENTIALS_FILE' ? NATS_CREDENTIALS : CERTIFICATE)
  return file
}

async function readConfig(service: string): Promise<unknown> {
  const module = await import(join(root, 'services', service, 'config.ts'))
  return module.readConfig()
}

describe.each(CI_FILES)('%s', (file) => {
  const pods = getPods(renderObjects(file)).filter(({ role }) => SERVICES.includes(role))

  test('each service accepts the environment of its pod', async () => {
    const accepted: Record<string, unknown> = {}
    for (const pod of pods) {
      enter(pod)
      accepted[pod.role] = await readConfig(pod.role).then(() => true, String)
    }
    expect(accepted).toEqual(Object.fromEntries(SERVICES.map((service) => [service, true])))
  })
})

const settings = readSettings().flatMap((setting) => setting.services.map((service) => ({ ...setting, service })))
const numbers = settings.filter(({ schema }) => schema.type === 'integer')
const minimal = getPods(renderObjects('minimal.yaml'))

test.each(numbers)(
  '$service accepts $name exactly within the bounds of the schema',
  async ({ service, name, schema }) => {
    const pod = minimal.find(({ role }) => role === service)
    if (!pod) throw new Error(`no pod of ${service}`)
    const accepts = async (value: number) => {
      enter(pod)
      // Without the condition that refers to other settings.
      if (service === 'jobs' && name !== 'PLATEN_JOB_RETENTION_SECONDS') vi.stubEnv('PLATEN_JOB_RETENTION_SECONDS', '0')
      vi.stubEnv(name, String(value))
      return await readConfig(service).then(
        () => true,
        () => false,
      )
    }
    const { minimum = 0, maximum } = schema
    expect([await accepts(minimum), await accepts(minimum - 1)]).toEqual([true, false])
    expect([await accepts(maximum ?? 2 ** 50), await accepts((maximum ?? 2 ** 50) + 1)]).toEqual([
      true,
      maximum === undefined,
    ])
  },
)

test('a setting is given to the services that read it, a large one with all digits', () => {
  const name = 'PLATEN_STORED_BYTES_PER_ORGANIZATION'
  const readers = getPods(renderObjects('settings.yaml'))
    .map(({ role, container }) => ({
      role,
      variable: container.env.find((entry: { name: string }) => entry.name === name),
    }))
    .filter(({ variable }) => variable)
  expect(readers).toEqual([{ role: 'jobs', variable: { name, value: '1125899906842624' } }])
})
