/** The first steps of an integrator with the package of the command line, in an empty folder. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installation, newOrganization, PDF } from '@platen/test/api/installation.ts'
import { expect, onTestFinished, test } from 'vitest'
import { packageCli } from '../../package-clients.ts'

test('the tarball installs one program without dependencies, which logs in and prints', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'platen-newcomer-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const tarball = await packageCli(dir)
  const run = async (command: string) => {
    const env = { ...process.env, XDG_CONFIG_HOME: dir, PLATEN_KEY: undefined, PLATEN_URL: undefined }
    return await promisify(execFile)('sh', ['-c', command], { cwd: dir, env })
  }
  await writeFile(join(dir, 'package.json'), '{}')
  await writeFile(join(dir, 'file.pdf'), PDF)
  expect((await stat(tarball)).size).toBeLessThan(150_000)
  await run(`npm install --offline --no-audit --no-fund '${tarball}'`)
  const { testApi } = await newOrganization()
  await run(`echo ${testApi.key} | npx platen login --server ${installation.credentials.baseUrl} --key-file -`)
  // `sh` fails if the exit code is not 0.
  const { stderr } = await run('npx platen print file.pdf -d "Test A4 Laser" --wait')
  expect(stderr).toMatch(/done *\n.*Printed/)
})
