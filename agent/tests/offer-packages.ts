/**
 * An installation that offers signed packages, and computers that have one installed. Their Node is the one of the
 * test.
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { writeTarGz } from '../packages/archives.ts'
import { bundleAgent, V8_FLAGS } from '../packages/bundle.ts'
import { type ReleaseKey, readReleaseKey, signMinisign } from '../packages/minisign.ts'

const LAUNCHER = join(import.meta.dirname, '../packages/platen-agent.sh')
const LIB = 'usr/lib/platen-agent'
const BUNDLED_VERSION = '7.0.0-bundled'

function makeTemporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'platen-packages-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export async function makeReleaseKey(): Promise<ReleaseKey> {
  const dir = mkdtempSync(join(tmpdir(), 'platen-key-'))
  try {
    const file = join(dir, 'key.pem')
    writeFileSync(file, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
    return await readReleaseKey(file)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** The bundled agent. @returns its text for a version. */
export async function bundleVersions({ public: releaseKey }: ReleaseKey): Promise<(version: string) => string> {
  const dir = mkdtempSync(join(tmpdir(), 'platen-bundle-'))
  try {
    const { script } = await bundleAgent(process.platform, dir, { version: BUNDLED_VERSION, releaseKey })
    const text = readFileSync(script, 'utf8')
    return (version) => text.replaceAll(BUNDLED_VERSION, version)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** @param script the text of `platen-agent.cjs`. @param node the text of a program instead of Node. */
export async function makePackage(
  version: string,
  script: string,
  node = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`,
): Promise<Buffer> {
  const archive = join(makeTemporaryDir(), 'package.tar.gz')
  const texts = { 'platen-agent.cjs': script, 'v8-flags': `${V8_FLAGS.join(' ')}\n`, version: `${version}\n` }
  await writeTarGz(
    [
      { path: 'usr/bin/platen-agent', source: { file: LAUNCHER }, mode: 0o755 },
      { path: `${LIB}/node`, source: { text: node }, mode: 0o755 },
      ...Object.entries(texts).map(([name, text]) => ({ path: `${LIB}/${name}`, source: { text }, mode: 0o644 })),
    ],
    archive,
    './',
  )
  return readFileSync(archive)
}

/** @returns the launcher of the installed package. */
export function installPackage(archive: Buffer, root = makeTemporaryDir()): string {
  execFileSync('tar', ['-xz', '-C', root], { input: archive })
  return join(root, 'usr/bin/platen-agent')
}

/** Serves `/agents/` until the end of the test. */
export async function offerPackages(key: ReleaseKey) {
  const files = new Map<string, Buffer | string>()
  const requests: string[] = []
  const server = createServer(({ url = '' }, response) => {
    requests.push(url)
    const file = files.get(url.replace('/agents/', ''))
    response.statusCode = file === undefined ? 404 : 200
    response.end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Files by their names. */
    files,
    /** The paths. */
    requests,
    /** Replaces the offer. @returns the name of the package. */
    offer(version: string, archive: Buffer): string {
      const name = `platen-agent-${version}-linux-${process.arch}.tar.gz`
      const list = `${createHash('sha256').update(archive).digest('hex')}  ${name}\n`
      files.clear()
      files.set(name, archive)
      files.set('SHA256SUMS', list)
      files.set('SHA256SUMS.minisig', signMinisign(Buffer.from(list), `Platen agent ${version}`, key))
      return name
    },
  }
}

/** Runs the agent of a launcher, and starts it again as a service manager does, until the end of the test. */
export function superviseAgent(launcher: string, dataDir: string, env: NodeJS.ProcessEnv = {}) {
  const codes: (number | null)[] = []
  let output = ''
  let child: ReturnType<typeof spawn> | undefined
  let isStopped = false
  const start = () => {
    child = spawn(launcher, ['run', '--data-dir', dataDir], {
      env: { ...process.env, PLATEN_VIRTUAL_PRINT_MS: '20', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text))
    child.once('exit', (code) => {
      codes.push(code)
      if (!isStopped) start()
    })
  }
  start()
  onTestFinished(() => {
    isStopped = true
    child?.kill('SIGKILL')
  })
  return { codes, output: () => output }
}
