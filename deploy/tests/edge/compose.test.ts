/** The installation of Docker Compose, without Docker. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { trustedProxies } from '@platen/runtime/fetch/allowed-networks.ts'
import { secret, secretKeyring } from '@platen/runtime/keyring.ts'
import { rpcCallers } from '@platen/runtime/rpc/callers.ts'
import { toTlsFiles } from '@platen/runtime/tls.ts'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { findNatsServer } from '../../install/find-nats-server.mjs'
import { root } from '../../install/paths.mjs'
import { temporaryDirectory } from '../temporary-directory.ts'

const source = join(root, 'deploy/compose')

/** Quoted, as `compose.yaml` has it. Without quotes it would be a number and text behind it. */
const NATS_PASSWORD = '"8e3-token"'

test('nats-server accepts the configuration, and its command line has no password', async () => {
  const { services } = parse(await readFile(join(source, 'compose.yaml'), 'utf8'))
  expect(services.nats.command).toEqual(['--config', '/etc/nats/nats.conf'])
  const args = ['-c', join(source, 'nats.conf'), '-t']
  const { status, stderr } = spawnSync(String(findNatsServer()), args, { env: { NATS_PASSWORD }, encoding: 'utf8' })
  expect(stderr).toContain('configuration file')
  expect(status).toBe(0)
})

test('each container has a read-only root file system, no capability and cannot get any; Caddy has that of ports below 1024', async () => {
  const { services } = parse(await readFile(join(source, 'compose.yaml'), 'utf8'), { merge: true })
  for (const [name, service] of Object.entries<{ cap_add?: string[] }>(services)) {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(service.cap_add).toEqual(name === 'caddy' ? ['NET_BIND_SERVICE'] : undefined)
  }
})

test.each([
  {
    args: ['print.example.com'],
    api: 'https://print.example.com',
    agents: 'https://print.example.com',
    ports: ['127.0.0.1:8080:8080', '127.0.0.1:8090:8090'],
    tls: undefined,
    profiles: 'caddy',
  },
  {
    args: ['print.example.com', 'files'],
    api: 'https://print.example.com',
    agents: 'https://print.example.com:8090',
    ports: ['443:8080', '8090:8090'],
    tls: { certFile: '/tls/cert.pem', keyFile: '/tls/key.pem' },
    profiles: undefined,
  },
  {
    args: ['localhost', 'plain'],
    api: 'http://localhost:8080',
    agents: 'http://localhost:8090',
    ports: ['127.0.0.1:8080:8080', '127.0.0.1:8090:8090'],
    tls: undefined,
    profiles: undefined,
  },
])('create-env.sh $args: clients use $api, agents $agents', async ({ args, api, agents, ports, tls, profiles }) => {
  const env = await createEnv(args)
  const { platen, operator } = await readServices(env)
  expect(platen.ports).toEqual(ports)
  expect(platen.environment).toMatchObject({
    PLATEN_PUBLIC_URL: api,
    PLATEN_AGENT_PUBLIC_URL: agents,
    PLATEN_UPGRADE_URL: `${api}/docs`,
  })
  expect(operator.environment).toMatchObject({ PLATEN_API_URL: api, PLATEN_AGENT_PUBLIC_URL: agents })
  expect(toTlsFiles(platen.environment)).toEqual(tls)
  expect(trustedProxies.parse(platen.environment.PLATEN_TRUSTED_PROXIES).length > 0).toBe(profiles === 'caddy')
  expect(env.COMPOSE_PROFILES).toBe(profiles)
})

test('an installation whose .env is of an earlier release keeps its own certificate', async () => {
  const { platen } = await readServices({ PLATEN_HOST_NAME: 'print.example.com' })
  expect(platen.ports).toEqual(['443:8080', '8090:8090'])
  expect(platen.environment.PLATEN_AGENT_PUBLIC_URL).toBe('https://print.example.com:8090')
})

test('the created secrets are valid, and only the container of operators has theirs, of which the services have the digest', async () => {
  const env = await createEnv(['print.example.com'])
  const operatorSecret = env.PLATEN_OPERATOR_SECRET ?? ''
  expect(operatorSecret.length).toBeGreaterThanOrEqual(32)
  expect(env.PLATEN_OPERATOR_SECRET_SHA256).toBe(createHash('sha256').update(operatorSecret).digest('hex'))

  const settings = { PLATEN_RPC_CALLERS: rpcCallers, PLATEN_RPC_KEY: secret, PLATEN_SIGNING_KEY: secretKeyring }
  expect(z.object(settings).safeParse(env).error).toBeUndefined()

  const { services } = parse(await readFile(join(source, 'compose.yaml'), 'utf8'))
  const holders = (name: string) =>
    Object.keys(services).filter((service) => JSON.stringify(services[service]).includes(`\${${name}}`))
  expect(holders('PLATEN_OPERATOR_SECRET')).toEqual(['operator'])
  expect(holders('PLATEN_OPERATOR_SECRET_SHA256')).toEqual(['platen'])
})

/** @returns what `create-env.sh` writes. */
async function createEnv(args: string[]): Promise<NodeJS.Dict<string>> {
  const directory = await temporaryDirectory()
  await cp(source, directory, { recursive: true })
  execFileSync('sh', ['create-env.sh', ...args], { cwd: directory })
  return parseEnv(await readFile(join(directory, '.env'), 'utf8'))
}

interface Service {
  ports: string[]
  environment: Record<string, string>
}

/**
 * @returns the services of `compose.yaml` with the values of `.env` and the defaults: `${NAME}`, `${NAME-if not set}`,
 *   `${NAME:-if empty}`.
 */
async function readServices(env: NodeJS.Dict<string>): Promise<Record<'platen' | 'operator', Service>> {
  const text = await readFile(join(source, 'compose.yaml'), 'utf8')
  const toValue = (_: string, name: string, form?: string, byDefault = '') =>
    (form === ':-' ? env[name] || byDefault : env[name]) ?? byDefault
  return parse(text.replaceAll(/\$\{(\w+)(?:(:?[-?])([^}]*))?\}/g, toValue), { merge: true }).services
}
