/** The installation of Docker Compose, without Docker. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../install/paths.mjs'
import { temporaryDirectory } from '../temporary-directory.ts'

const source = join(root, 'deploy/compose')

test('only the container of operators has their secret, of which the services have the digest', async () => {
  const directory = await temporaryDirectory()
  await cp(source, directory, { recursive: true })
  execFileSync('sh', ['create-env.sh', 'print.example.com'], { cwd: directory })
  const env = parseEnv(await readFile(join(directory, '.env'), 'utf8'))
  const secret = env.PLATEN_OPERATOR_SECRET ?? ''
  expect(secret.length).toBeGreaterThanOrEqual(32)
  expect(env.PLATEN_OPERATOR_SECRET_SHA256).toBe(createHash('sha256').update(secret).digest('hex'))

  const { services } = parse(await readFile(join(source, 'compose.yaml'), 'utf8'))
  const holders = (name: string) =>
    Object.keys(services).filter((service) => JSON.stringify(services[service]).includes(`\${${name}}`))
  expect(holders('PLATEN_OPERATOR_SECRET')).toEqual(['operator'])
  expect(holders('PLATEN_OPERATOR_SECRET_SHA256')).toEqual(['platen'])
})
