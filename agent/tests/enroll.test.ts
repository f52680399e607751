/** `platen-agent enroll` before a server that a test scripts. What the real one does is tested in test/e2e. */
import { execFileSync } from 'node:child_process'
import { chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startProxy } from './connect-proxy.ts'
import { makeDataDir } from './start-agent.ts'
import { runProgram } from './start-program.ts'
import { makeAuthority, startTlsFront } from './tls-front.ts'

// Programs start, some of them several after each other.
vi.setConfig({ testTimeout: 120_000 })

const TOKEN = `platen_enroll_${'t'.repeat(43)}`
const credential = (n: number) => `platen_agent_${String(n).repeat(43)}`
const AGENT_URL = 'http://agents.example:8090'

interface Asked {
  url: string | undefined
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

/** Gives out a new credential each time, unless it is to answer something else. */
async function startServer(answer?: { status: number; body: string }, tooMany = 0) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const { url, headers } = request
    asked.push({ url, headers, body: JSON.parse((await text(request)) || '{}') })
    const enrolled = { computerId: 'computer', credential: credential(asked.length), agentUrl: AGENT_URL }
    if (asked.length <= tooMany) return void response.writeHead(429, { 'retry-after': '0' }).end('{}')
    response.writeHead(answer?.status ?? 201).end(answer?.body ?? JSON.stringify(enrolled))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const readJson = (dataDir: string) => JSON.parse(readFileSync(join(dataDir, 'agent.json'), 'utf8'))

test('a token becomes a credential in a file of 0600, and travels in no URL and no body', async () => {
  const { asked, url } = await startServer()
  const dataDir = join(makeDataDir(), 'made', 'anew')
  const answer = await runProgram([
    'enroll',
    '--server',
    url,
    '--token',
    TOKEN,
    '--name',
    'Till',
    '--data-dir',
    dataDir,
  ])
  expect(answer).toMatchObject({ code: 0, stderr: '' })
  expect(answer.stdout).toContain('enrolled as computer')
  expect(answer.stdout).not.toContain(credential(1))
  expect(asked).toMatchObject([
    {
      url: '/v1/agents/enroll',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: { name: 'Till', hostname: expect.stringMatching(/./), os: 'linux', agentVersion: '0.1.0' },
    },
  ])
  expect(JSON.stringify(asked[0]?.body)).not.toContain(TOKEN)
  expect(readJson(dataDir)).toEqual({
    agentUrl: AGENT_URL,
    credential: credential(1),
    spooler: 'system',
    serverUrl: url,
  })
  expect(statSync(join(dataDir, 'agent.json')).mode & 0o777).toBe(0o600)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect(readdirSync(dataDir)).toEqual(['agent.json'])
})

test('enrolling again shows the old credential to the same host, keeps the settings and gets a new credential', async () => {
  const { asked, url } = await startServer()
  const dataDir = makeDataDir()
  const enroll = (...more: string[]) =>
    runProgram(['enroll', '--server', url, '--token', TOKEN, '--data-dir', dataDir, ...more])
  await enroll('--spooler', 'virtual')
  writeFileSync(join(dataDir, 'agent.json'), JSON.stringify({ ...readJson(dataDir), proxy: 'none' }))
  expect((await enroll()).stdout).toContain('Restart the agent')
  expect(asked.map(({ body }) => body.previousCredential)).toEqual([undefined, credential(1)])
  expect(readJson(dataDir)).toMatchObject({ credential: credential(2), spooler: 'virtual', proxy: 'none' })

  const other = url.replace('127.0.0.1', 'localhost')
  await runProgram(['enroll', '--server', other, '--token', TOKEN, '--data-dir', dataDir])
  expect(asked.at(-1)?.body.previousCredential).toBeUndefined()
})

test('the token may come by the environment, where other users of the computer do not see it', async () => {
  const { asked, url } = await startServer()
  await runProgram(['enroll', '--server', url, '--data-dir', makeDataDir()], { PLATEN_ENROLL_TOKEN: TOKEN })
  expect(asked[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`)
})

test('it goes by a proxy of the environment, and trusts an authority that is named and remembered', async () => {
  const { asked, url } = await startServer()
  const authority = makeAuthority()
  const port = await startTlsFront(url, authority.issue('print.test'))
  const proxy = await startProxy({ user: 'till:pass' })
  const dataDir = makeDataDir()
  const server = `https://print.test:${port}`
  const args = ['enroll', '--server', server, '--token', TOKEN, '--data-dir', dataDir]
  const unknown = await runProgram(args, { HTTPS_PROXY: proxy.url })
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/authority that this computer does not know/),
  })
  expect(asked).toEqual([])
  expect(await runProgram([...args, '--ca-file', authority.caFile], { HTTPS_PROXY: proxy.url })).toMatchObject({
    code: 0,
  })
  expect(readJson(dataDir)).toMatchObject({ caFile: authority.caFile, serverUrl: server })
  expect(await runProgram(args, { https_proxy: proxy.url })).toMatchObject({ code: 0 })
  expect(asked).toHaveLength(2)
  expect(proxy.asked).toEqual(Array(3).fill(`print.test:${port}`))
})

test('a refusal is said in the words of the service, and leaves what was there', async () => {
  const message = 'The enrolment token is used up: make a new one.'
  const { url } = await startServer({ status: 401, body: JSON.stringify({ error: { code: 'unauthorized', message } }) })
  const dataDir = makeDataDir()
  const refused = () => runProgram(['enroll', '--server', url, '--token', TOKEN, '--data-dir', dataDir])
  expect(await refused()).toMatchObject({ code: 1, stderr: `${message}\n` })
  expect(readdirSync(dataDir)).toEqual([])
  writeFileSync(join(dataDir, 'agent.json'), '{"not": "valid"}')
  expect((await refused()).stderr).toMatch(/"not" is not known.* It is replaced\.\n.*used up/s)
  expect(readFileSync(join(dataDir, 'agent.json'), 'utf8')).toBe('{"not": "valid"}')
})

test.each([
  ['a page', 200, '<html>'],
  ['a page with the right status', 201, '<html>'],
  ['no credential', 201, JSON.stringify({ computerId: 'x', agentUrl: AGENT_URL })],
  [
    'a credential that could not stand in a header',
    201,
    JSON.stringify({ computerId: 'x', credential: 'platen_agent_\n', agentUrl: AGENT_URL }),
  ],
  [
    'an address that is none',
    201,
    JSON.stringify({ computerId: 'x', credential: credential(1), agentUrl: 'file:///etc' }),
  ],
  ['null', 201, 'null'],
  ['more than anybody needs', 201, 'x'.repeat(1_000_000)],
])('a server that answers with %s is not Platen', async (_, status, body) => {
  const { url } = await startServer({ status, body })
  const dataDir = makeDataDir()
  const { code, stderr } = await runProgram(['enroll', '--server', url, '--token', TOKEN, '--data-dir', dataDir])
  expect(code).toBe(1)
  expect(stderr).toMatch(/is not Platen \(status \d+\)|the answer is too long/)
  expect(readdirSync(dataDir)).toEqual([])
})

test('what is wrong on this computer is found before the token is spent', async () => {
  const { asked, url } = await startServer()
  const blocked = join(makeDataDir(), 'file')
  writeFileSync(blocked, '')
  const noPem = join(makeDataDir(), 'ca.pem')
  writeFileSync(noPem, 'nothing')
  const faults: [string[], RegExp][] = [
    [['--server', 'print.example'], /^--server must be the http/],
    [['--server', 'http://user:pass@print.example'], /^--server must be/],
    [['--server', `${url}/v1`], /^--server must be/],
    [['--server', url, '--token', ''], /^--token must be an enrolment token/],
    [['--server', url, '--token', 'a b'], /^--token must be an enrolment token/],
    [['--server', url, '--spooler', 'lp'], /^--spooler must be system or virtual/],
    [['--server', url, '--ca-file', '/nowhere.pem'], /nowhere\.pem cannot be used/],
    [['--server', url, '--ca-file', noPem], /cannot be used: it holds no PEM certificate/],
    [['--server', url, '--data-dir', join(blocked, 'in')], /cannot be written to/],
  ]
  for (const [args, sentence] of faults) {
    const own = [
      ...(args.includes('--token') ? [] : ['--token', TOKEN]),
      ...(args.includes('--data-dir') ? [] : ['--data-dir', makeDataDir()]),
    ]
    const { code, stderr } = await runProgram(['enroll', ...args, ...own])
    expect(stderr).toMatch(sentence)
    expect(code).toBe(2)
  }
  expect(asked).toEqual([])
})

test.runIf(process.getuid?.() === 0)('what root enrols belongs to the owner of the data directory', async () => {
  const { url } = await startServer()
  const dataDir = makeDataDir()
  chownSync(dataDir, 65_534, 65_534)
  await runProgram(['enroll', '--server', url, '--token', TOKEN, '--data-dir', dataDir])
  expect(statSync(join(dataDir, 'agent.json'))).toMatchObject({ uid: 65_534, gid: 65_534 })
})

test('help and version need no data directory', async () => {
  const help = await runProgram(['--help'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  for (const command of ['enroll', 'run', 'status', 'printers', 'doctor', 'support-bundle'])
    expect(help.stdout).toContain(`\n  ${command} `)
  expect(await runProgram(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n' })
  expect((await runProgram(['run', '--help'])).stdout).toMatch(/^Usage: platen-agent run /)
})

test('every command takes the data directory that it is told', async () => {
  const dataDir = join(makeDataDir(), 'told')
  for (const command of ['run', 'status', 'doctor']) {
    const { stdout, stderr } = await runProgram([command, '--data-dir', dataDir])
    expect(stdout + stderr).toContain(dataDir)
  }
  const { url } = await startServer()
  await runProgram(['enroll', '--server', url, '--token', TOKEN, '--spooler', 'virtual', '--data-dir', dataDir])
  expect((await runProgram(['printers', '--data-dir', dataDir])).stdout).toContain('Test A4 Laser')
  const output = join(makeDataDir(), 'bundle.tar.gz')
  await runProgram(['support-bundle', '--data-dir', dataDir, '--output', output])
  expect(execFileSync('tar', ['-xzOf', output], { encoding: 'utf8' })).toContain(`"dataDir": "${dataDir}"`)
})

test('an authority that the operating system trusts needs no word', async () => {
  const { url } = await startServer()
  const authority = makeAuthority()
  const port = await startTlsFront(url, authority.issue('127.0.0.1'))
  const args = ['enroll', '--server', `https://127.0.0.1:${port}`, '--token', TOKEN, '--data-dir', makeDataDir()]
  expect(await runProgram(args)).toMatchObject({ code: 1 })
  // Where OpenSSL, and with it Node on Linux, finds the system's store.
  expect(await runProgram(args, { SSL_CERT_FILE: authority.caFile })).toMatchObject({ code: 0 })
})

test('a server that has too many at once is asked again, and nothing else is', async () => {
  const { asked, url } = await startServer(undefined, 2)
  const args = (server: string) => ['enroll', '--server', server, '--token', TOKEN, '--data-dir', makeDataDir()]
  expect(await runProgram(args(url))).toMatchObject({ code: 0 })
  expect(asked).toHaveLength(3)
  const failing = await startServer({
    status: 503,
    body: JSON.stringify({ error: { message: 'Try again in a moment.' } }),
  })
  expect(await runProgram(args(failing.url))).toMatchObject({ code: 1, stderr: 'Try again in a moment.\n' })
  expect(failing.asked).toHaveLength(1)
})
