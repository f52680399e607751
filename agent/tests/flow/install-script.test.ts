/** `install.sh` with programs that only record what it would change. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toSignedComment } from '@platen/proto/agent-packages.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ReleaseKey } from '../../packages/minisign.ts'
import { signChecksums, writeChecksums } from '../../packages/release-files.ts'
import { succeeds } from '../../packages/run.ts'
import { makeReleaseKey } from '../offer-packages.ts'
import { makeDataDir } from '../start-agent.ts'

const SCRIPT = join(import.meta.dirname, '../../packages/served/install.sh')
const PACKAGE = 'platen-agent-1.2.3-linux-x64.deb'
const SECURE = 'https://print.example.com'
const IS_POSSIBLE = process.platform === 'linux'
/** On a machine without the program, our verification is run in its place. */
const HAS_MINISIGN = await succeeds('minisign', '-v')
const VERIFY = join(import.meta.dirname, '../verify-minisign.ts')

let key: ReleaseKey

beforeAll(async () => {
  key = await makeReleaseKey()
})

/** @param sign whether the offered packages are signed. @returns a function that runs the script. */
async function offer({ sign = true } = {}) {
  const dir = makeDataDir()
  const [programs, offered, calls, token] = ['bin', 'agents', 'calls', 'token'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const folder of [programs, offered]) mkdirSync(folder)
  writeFileSync(join(offered, PACKAGE), 'package')
  writeFileSync(token, 'platen_enroll_1')
  await writeChecksums(offered)
  if (sign) await signChecksums(offered, toSignedComment('1.2.3'), key)
  const record = `echo "$(basename "$0") $*" >> ${calls}`
  const stubs = {
    uname: 'case $1 in -s) echo Linux ;; *) echo x86_64 ;; esac',
    id: 'echo 0',
    // The last arguments are URL, -o and FILE.
    curl: `[ "$1" = -fsSL ] && cp "${offered}/$(basename "$2")" "$4"`,
    'apt-get': record,
    systemctl: record,
    'platen-agent': `cat > /dev/null; ${record}`,
    ...(HAS_MINISIGN ? {} : { minisign: `exec "${process.execPath}" --no-warnings "${VERIFY}" "$@"` }),
  }
  for (const [name, text] of Object.entries(stubs)) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(programs, name), 0o755)
  }
  return (...args: string[]) => {
    const { status, stderr } = spawnSync('sh', [SCRIPT, ...args, '--token-file', token], {
      env: { PATH: `${programs}:${process.env.PATH}`, TMPDIR: dir },
      encoding: 'utf8',
    })
    const lines = existsSync(calls) ? readFileSync(calls, 'utf8').split('\n') : []
    const isInstalled = lines.some((line) => line.startsWith('apt-get install') && line.endsWith(PACKAGE))
    return { status, stderr, isInstalled, enrolled: lines.find((line) => line.startsWith('platen-agent enroll')) }
  }
}

const installed = { status: 0, isInstalled: true }

describe.skipIf(!IS_POSSIBLE)('install.sh', () => {
  test.each([SECURE, 'http://localhost:8080', 'http://127.0.0.1:8080', 'http://127.1.2.3', 'http://[::1]:8080'])(
    'installs the agent from %s',
    async (server) => {
      const run = await offer()
      expect(run('--server', server)).toMatchObject({ ...installed, enrolled: expect.stringContaining(server) })
    },
  )

  test.each([
    'http://print.example.com',
    'http://192.168.1.5:8080',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://localhost@print.example.com',
    'ftp://print.example.com',
    'print.example.com',
  ])('refuses %s, unless it is permitted', async (server) => {
    proves('agent.install.tls')
    const run = await offer()
    expect(run('--server', server)).toEqual({
      status: 1,
      stderr: expect.stringMatching(/has no TLS.*--insecure/),
      isInstalled: false,
      enrolled: undefined,
    })
    const permitted = run('--server', server, '--insecure')
    expect(permitted).toMatchObject({ ...installed, enrolled: expect.stringContaining('--insecure') })
  })

  test('with a key installs only packages that are signed with it', async () => {
    proves('agent.install.key')
    const run = await offer()
    const refused = { status: 1, stderr: expect.stringContaining('not signed with this key'), isInstalled: false }
    expect(run('--server', SECURE, '--key', (await makeReleaseKey()).public)).toMatchObject(refused)
    expect(run('--auto-update', `--key=${key.public}`, '--server', SECURE)).toMatchObject({
      ...installed,
      enrolled: expect.stringMatching(/ --auto-update$/),
    })
    expect(run('--server', SECURE, '--key', key.public)).toMatchObject(installed)
    expect((await offer({ sign: false }))('--server', SECURE, '--key', key.public)).toMatchObject({
      status: 1,
      isInstalled: false,
    })
  })
})
