/** The installation of Docker Compose, without Docker. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { secret, secretKeyring } from '@platen/runtime/keyring.ts'
import { rpcCallers } from '@platen/runtime/rpc/callers.ts'
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

test('each container has a read-only root file system, no capability and cannot get any', async () => {
  const { services } = parse(await readFile(join(source, 'compose.yaml'), 'utf8'), { merge: true })
  for (const service of Object.values(services))
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
})

test('the created secrets are valid, and only the container of operators has theirs, of which the services have the digest', async () => {
  const directory = await temporaryDirectory()
  await cp(source, directory, { recursive: true })
  execFileSync('sh', ['create-env.sh', 'print.example.com'], { cwd: directory })
  const env = parseEnv(await readFile(join(directory, '.env'), 'utf8'))
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
