/** `npm start`: four starts of the launcher on real ports, and refused starts. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { getPrivateBytes } from '@platen/agent/packages/tests/memory.ts'
import { getTestAuthority } from '@platen/agent/tests/tls-front.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { createApi } from '../harness/api.ts'
import { createBrowser } from '../harness/browser.ts'
import { enrollComputer } from '../harness/enroll-computer.ts'
import { freePort } from '../harness/free-port.ts'
import { makePdf } from '../harness/pdf.ts'
import {
  isAlive,
  makeDataDir,
  type Platen,
  type PlatenOptions,
  removeDataDir,
  StartFailed,
  startPlaten,
} from '../harness/platen.ts'
import { proves } from '../harness/rules.ts'
import { waitFor } from '../harness/wait-for.ts'

/** The tests run in this order on one installation. */
let platen: Platen
const dataDir = await makeDataDir()

afterAll(async () => {
  await platen?.stop()
  await removeDataDir(dataDir)
})

async function print({ api }: Platen, title: string) {
  const { id } = await api.printer('Test A4 Laser')
  const content = makePdf(title).toString('base64')
  return await api.createJob({ printerId: id, title, contentType: 'pdf_base64', content })
}

/** An address of this machine by which other computers reach it. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address

/** @returns `connect`, or the error code. */
async function connectFromOutside(url: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), outside)
  const outcome = await once(socket, 'connect').then(
    () => 'connect',
    (error: NodeJS.ErrnoException) => String(error.code),
  )
  socket.destroy()
  return outcome
}

async function refusal(options: PlatenOptions): Promise<StartFailed> {
  const failure = await startPlaten(options).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(StartFailed)
  expect(failure).toMatchObject({ exitCode: expect.toSatisfy((code) => code !== 0) })
  return failure as StartFailed
}

describe('an installation', { shuffle: false }, () => {
  let keptJobId = ''

  test('prints its address, a test key with all scopes and a live key that cannot administrate, and keeps the credentials for their owner alone', async () => {
    platen = await startPlaten({ dataDir })
    const { baseUrl, testKey, liveKey, adminKey } = platen.credentials
    for (const text of [`Platen is ready: ${baseUrl}\n`, testKey, liveKey]) expect(platen.output()).toContain(text)
    expect(platen.output()).not.toContain(adminKey)
    const scopes = async (key: string) => (await createApi(baseUrl, key).get('/v1/whoami')).body.apiKey.scopes
    expect([await scopes(testKey), await scopes(liveKey), await scopes(adminKey)]).toEqual([
      ['read', 'print', 'admin'],
      ['read', 'print'],
      ['read', 'print', 'admin'],
    ])
    const file = join(dataDir, 'credentials.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const fields = Object.keys(JSON.parse(await readFile(file, 'utf8')))
    expect(fields.sort()).toEqual(['adminKey', 'agentUrl', 'baseUrl', 'liveKey', 'organizationId', 'testKey'])
  })

  test.runIf(outside)(
    'is not reached by other computers, and prints how to let agents of other computers in',
    async () => {
      const { baseUrl, agentUrl } = platen.credentials
      for (const url of [baseUrl, agentUrl]) expect(await connectFromOutside(url)).toBe('ECONNREFUSED')
      const sentence = 'Only this computer can reach Platen. For agents on other computers set PLATEN_TLS_CERT_FILE'
      expect(platen.output()).toContain(sentence)
    },
  )

  test('prints a curl command; pasted into a shell, it prints a PDF in about 3 s', async () => {
    proves('test-mode.walk')
    const [line = ''] = platen.output().match(/^curl .*$/m) ?? []
    const answer = JSON.parse(
      execFileSync('sh', ['-c', line.trim()], { stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
    )
    expect(answer).toMatchObject({ state: 'queued', contentType: 'pdf_base64' })
    const { state, createdAt, finishedAt } = await platen.api.waitUntilFinal(answer.id)
    const tookMs = Date.parse(finishedAt) - Date.parse(createdAt)
    expect(state).toBe('done')
    expect(tookMs).toBeGreaterThan(2_000)
    // A busy machine is slower; a repeated message would come 30 s later at the earliest.
    expect(tookMs).toBeLessThan(15_000)
    keptJobId = answer.id
  })

  test('prints the commands that log in and print with the command line, whose arguments do not contain the key', async () => {
    const [commands = ''] = platen.output().match(/^echo .* login .*\n.* print .*$/m) ?? []
    expect(commands.replace(/^echo \S+ \|/, '')).not.toContain(platen.credentials.testKey)
    const env = { ...process.env, XDG_CONFIG_HOME: dataDir, PLATEN_KEY: undefined, PLATEN_URL: undefined }
    const output = execFileSync('sh', ['-ec', `{ ${commands}; } 2>&1`], { env }).toString()
    expect(output).toMatch(/^Logged in to Default, mode test[\s\S]*done\s[\s\S]*Printed/)
  })

  test('prints the address of the dashboard, its first owner, and the code with which the owner signs in', async () => {
    proves('sign-in.terminal')
    const { baseUrl, organizationId } = platen.credentials
    expect(platen.output()).toContain(`Dashboard: ${baseUrl}/app\nSign in as owner@localhost. The code appears here.\n`)
    const browser = createBrowser(baseUrl)
    const { body } = await browser.post('/account/sign-in', { email: 'owner@localhost' })
    expect(body.sentTo).toBe('terminal')
    const code = await waitFor(() => {
      const [, printed] = /^Sign-in code for owner@localhost: (\S+)$/m.exec(platen.output()) ?? []
      expect(printed).toBeDefined()
      return printed
    })
    const signedIn = await browser.post('/account/sign-in/code', { code })
    expect(signedIn.body.organizations).toMatchObject([{ id: organizationId, name: 'Default', role: 'owner' }])
    // The next start enables it.
    const { id } = await platen.api.printer('Test A4 Laser')
    const change = { body: { enabled: false }, headers: { 'platen-mode': 'test' } }
    expect((await browser.request('PATCH', `/v1/printers/${id}`, change)).body).toMatchObject({ enabled: false })
  })

  test('refuses a second start on its data in one sentence', async () => {
    expect((await refusal({ dataDir })).output).toMatch(/already/)
    expect((await platen.api.get('/v1/whoami')).status).toBe(200)
  })

  test('ends every process on SIGTERM', async () => {
    const pids = await platen.allPids()
    expect(await platen.stop('SIGTERM')).toBe(0)
    expect(pids.filter(isAlive)).toEqual([])
  })

  test('does not start with a wrong setting of a service, and names it', async () => {
    const { output } = await refusal({ dataDir, env: { PLATEN_PRINTING_TIMEOUT_SECONDS: 'soon' } })
    expect(output).toContain('PLATEN_PRINTING_TIMEOUT_SECONDS')
  })

  test('has all its data after the next start, with its virtual printers enabled, prints its keys no more, and with a certificate serves other computers by TLS', async () => {
    const { testKey } = platen.credentials
    const { cert, key } = getTestAuthority().issue('localhost')
    const [certFile, keyFile] = [join(dataDir, 'cert.pem'), join(dataDir, 'key.pem')]
    await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)])
    setDefaultCACertificates([...getCACertificates(), await readFile(getTestAuthority().caFile, 'utf8')])
    const env = { PLATEN_TLS_CERT_FILE: certFile, PLATEN_TLS_KEY_FILE: keyFile, PLATEN_VIRTUAL_PRINT_MS: '60' }
    platen = await startPlaten({ dataDir, env })
    expect(platen.credentials.testKey).toBe(testKey)
    expect(platen.output()).not.toMatch(/platen_(test|live)_/)
    expect(platen.output()).toContain(`Keys: ${join(dataDir, 'credentials.json')}\n`)
    const { baseUrl, agentUrl } = platen.credentials
    for (const url of [baseUrl, agentUrl]) {
      expect(url).toMatch(/^https:/)
      if (outside) expect(await connectFromOutside(url)).toBe('connect')
    }
    const admin = createApi(baseUrl, platen.credentials.adminKey)
    expect(await enrollComputer(admin)).toMatchObject({ agentUrl })
    const { id } = await print(platen, 'By TLS')
    expect(await platen.api.waitUntilFinal(id)).toMatchObject({ state: 'done' })
    expect(await platen.api.getJob(keptJobId)).toMatchObject({ state: 'done' })
  })

  test.runIf(process.platform === 'linux')(
    'holds less than 40 MB of private memory in its idle launcher, which removes no types',
    async () => {
      const launcher = platen.launcher.pid ?? 0
      await waitFor(async () => expect(await getPrivateBytes(launcher)).toBeLessThan(40e6), 60_000)
    },
  )

  test('loses no accepted job by a kill -9, which leaves no process; two installations are independent', async () => {
    const jobs = await Promise.all(Array.from({ length: 10 }, (_, n) => print(platen, `Job ${n}`)))
    const pids = await platen.allPids()
    await platen.stop('SIGKILL')
    // Drain limits: services 8 s, PostgreSQL 20 s.
    await waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 60_000)

    const env = { PLATEN_RESEND_AFTER_SECONDS: '5' }
    const [again, other] = await Promise.all([startPlaten({ dataDir, env }), startPlaten()])
    platen = again
    try {
      for (const { id } of jobs) expect(await platen.api.waitUntilFinal(id, 60_000)).toMatchObject({ state: 'done' })
      const stranger = createApi(other.credentials.baseUrl, platen.credentials.testKey)
      expect((await stranger.get('/v1/whoami')).status).toBe(401)
      const otherPids = await other.allPids()
      expect(await other.stop('SIGINT')).toBe(0)
      expect(otherPids.filter(isAlive)).toEqual([])
    } finally {
      await other.stop()
      await removeDataDir(other.dataDir)
    }
  })
})

test.each(['PLATEN_PORT', 'PLATEN_AGENT_PORT'])('a port in use is named with its setting, %s', async (name) => {
  const port = await freePort()
  const taken = createServer().listen(port)
  await once(taken, 'listening')
  try {
    const { output } = await refusal({ env: { [name]: String(port) } })
    expect(output).toContain(name)
    expect(output).toContain(String(port))
    expect(output).not.toContain('    at ')
  } finally {
    taken.close()
  }
})
