import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { findNatsServer, NATS_SERVER } from '../../install/find-nats-server.mjs'
import { root } from '../../install/paths.mjs'
import { identify } from '../../launcher/process-identity.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

/** A clone without packages, and a fake `npm`. */
async function freshClone(npm: string) {
  const clone = await temporaryDirectory()
  for (const part of ['package-lock.json', 'deploy/install/main.mjs', 'deploy/install'])
    await cp(join(root, part), join(clone, part), { recursive: true })
  const npmScript = join(clone, 'npm.js')
  await writeFile(npmScript, npm)
  return { clone, env: { ...process.env, npm_execpath: npmScript } }
}

async function install(directory: string, env = process.env, ...args: string[]) {
  const child = spawn(process.execPath, ['deploy/install/main.mjs', ...args], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { stdout, stderr, code }
}

test('a complete installation is left as it is, without output', async () => {
  expect(await install(root)).toEqual({ stdout: '', stderr: '', code: 0 })
})

test('a failed installation shows the output of npm and ends with a message', async () => {
  const { clone, env } = await freshClone(
    'console.error("npm warn noise\\nnpm error the registry is gone"); process.exit(1)',
  )
  const { stderr, code } = await install(clone, env)
  expect(code).toBe(1)
  expect(stderr).toContain('npm error the registry is gone')
  expect(stderr).not.toContain('noise')
  expect(stderr.trim().split('\n').at(-1)).toMatch(/^The packages could not be installed. .* run `npm start` again\.$/)
})

test('tests and checks have packages that a server does not get', async () => {
  const { clone, env } = await freshClone('require("fs").writeFileSync("npm.args", process.argv.slice(2).join(" "))')
  const npmArgs = join(clone, 'npm.args')
  await install(clone, env, '--packages')
  expect(await readFile(npmArgs, 'utf8')).toMatch(/^ci --omit=dev /)

  // What npm then records.
  const { packages } = JSON.parse(await readFile(join(clone, 'package-lock.json'), 'utf8'))
  const installed = Object.entries<{ dev?: boolean }>(packages).filter(([, { dev }]) => !dev)
  await mkdir(join(clone, 'node_modules'))
  const record = JSON.stringify({ packages: Object.fromEntries(installed) })
  await writeFile(join(clone, 'node_modules/.package-lock.json'), record)
  await rm(npmArgs)
  expect((await install(clone, env, '--packages')).stdout).toBe('')
  await install(clone, env, '--packages', '--development')
  expect(await readFile(npmArgs, 'utf8')).toMatch(/^ci --include=dev /)
})

test('an installation ends, with all that it started, when the shell above it is killed', async () => {
  const { clone, env } = await freshClone(
    'require("fs").writeFileSync("npm.pid", process.pid + " " + process.ppid); setInterval(() => {}, 1000)',
  )
  // It is not the shell's last command, else it would become the installation instead of starting it.
  const command = `"${process.execPath}" deploy/install/main.mjs; exit`
  const shell = spawn('/bin/sh', ['-c', command], { cwd: clone, env, stdio: 'ignore' })
  const pids = await waitFor(async () => {
    const found = (await readFile(join(clone, 'npm.pid'), 'utf8')).split(' ').map(Number)
    expect(found).toHaveLength(2)
    return found
  })
  shell.kill('SIGKILL')
  await waitFor(() => expect(pids.map(identify)).toEqual([undefined, undefined]))
})

test('a PATH with folders that are missing, closed or no folders is searched to its end', async () => {
  const closed = await temporaryDirectory()
  const good = await temporaryDirectory()
  await chmod(closed, 0o000)
  await writeFile(join(good, NATS_SERVER), '', { mode: 0o755 })
  const path = [closed, '/nowhere', join(good, NATS_SERVER), good].join(delimiter)
  expect(findNatsServer(path)).toBe(join(good, NATS_SERVER))
})
