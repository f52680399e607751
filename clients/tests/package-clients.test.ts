/** The files that `npm run package:clients` makes. */
import { execFile } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readReleaseKey } from '@platen/agent/packages/minisign.ts'
import { verifySignature } from '@platen/agent/update/verify-signature.ts'
import { parseChecksums } from '@platen/proto/agent-packages.ts'
import { parseClientPackage } from '@platen/resources/client-packages.ts'
import { expect, onTestFinished, test } from 'vitest'
import manifest from '../cli/package.json' with { type: 'json' }

const PROGRAM = join(import.meta.dirname, '../package-clients.ts')

test('the list has the hash of each client, and is signed as a list of clients, which is none of the agent', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'platen-clients-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const keyFile = join(dir, 'key.pem')
  await writeFile(keyFile, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const out = join(dir, 'out')
  const env = { ...process.env, PLATEN_RELEASE_KEY_FILE: keyFile }
  await promisify(execFile)(process.execPath, ['--no-warnings', PROGRAM, '--out', out], { env })

  const list = await readFile(join(out, 'SHA256SUMS'))
  const { public: key } = await readReleaseKey(keyFile)
  const comment = verifySignature(list, await readFile(join(out, 'SHA256SUMS.minisig'), 'utf8'), key)
  expect(comment).toBe(`Platen clients ${manifest.version}`)

  const files = parseChecksums(list.toString())
  expect([...files.keys()].map((file) => parseClientPackage(file))).toEqual([
    { client: 'cli', version: manifest.version },
    { client: 'typescript', version: manifest.version },
    { client: 'python', version: manifest.version },
  ])
  for (const [file, sha256] of files)
    expect(
      createHash('sha256')
        .update(await readFile(join(out, file)))
        .digest('hex'),
    ).toBe(sha256)
})
