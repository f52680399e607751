/** `platen-agent enroll` with a server that the test controls. */
import { chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { listen, startProxy } from '../connect-proxy.ts'
import { refuseCall, refuseDirectorySync } from '../refuse-calls.ts'
import { makeDataDir } from '../start-agent.ts'
import { runCommand, runWithInput, setEnvironment } from '../start-program.ts'
import { getTestAuthority, startTlsFront } from '../tls-front.ts'

const TOKEN = `platen_enroll_${'t'.repeat(43)}`
const credential = (n: number) => `platen_agent_${String(n).repeat(43)}`
const AGENT_URL = 'http://127.0.0.1:8090'

/**
 * A server that responds with a new credential to each request, or with `answer`. The first `tooMany` requests receive
 * a 429, the first `lost` ones nothing.
 */
async function startServer(answer?: { status: number; body: string }, tooMany = 0, agentUrl = AGENT_URL, lost = 0) {
  const requests: { url?: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }[] = []
  const server = createServer(async (request, response) => {
    const { url, headers } = request
    requests.push({ url, headers, body: JSON.parse((await text(request)) || '{}') })
    if (requests.length <= lost) return void request.socket.destroy()
    const enrolled = { computerId: 'computer', credential: credential(requests.length), agentUrl }
    if (requests.length <= tooMany) return void response.writeHead(429, { 'retry-after': '0' }).end('{}')
    response.writeHead(answer?.status ?? 201).end(answer?.body ?? JSON.stringify(enrolled))
  })
  return { requests, url: `http://127.0.0.1:${await listen(server)}` }
}

async function enroll(server: string, dataDir: string, ...more: string[]) {
  setEnvironment({ PLATEN_ENROLL_TOKEN: TOKEN })
  return await runCommand('enroll', '--server', server, '--data-dir', dataDir, ...more)
}

const isEnrolled = (dataDir: string) => existsSync(join(dataDir, 'agent.json'))

const readJson = (dataDir: string) => JSON.parse(readFileSync(join(dataDir, 'agent.json'), 'utf8'))

test('a token is exchanged for a credential in a file of mode 0600; both are in no URL and no output', async () => {
  proves('agent.credential.file')
  const { requests, url } = await startServer()
  const dataDir = join(makeDataDir(), 'new', 'directory')
  const answer = await enroll(url, dataDir, '--name', 'Till')
  expect(answer).toMatchObject({ code: 0, stderr: '' })
  expect(answer.stdout).toContain('enrolled as computer')
  expect(answer.stdout).not.toContain(credential(1))
  const computer = { name: 'Till', hostname: expect.stringMatching(/./), os: 'linux', agentVersion: manifest.version }
  const headers = { authorization: `Bearer ${TOKEN}` }
  expect(requests).toMatchObject([{ url: '/v1/agents/enroll', headers, body: computer }])
  expect(JSON.stringify(requests[0]?.body)).not.toContain(TOKEN)
  const config = { agentUrl: AGENT_URL, credential: credential(1), spooler: 'system', serverUrl: url }
  expect(readJson(dataDir)).toEqual(config)
  expect([join(dataDir, 'agent.json'), dataDir].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700])
  expect(readdirSync(dataDir)).toEqual(['agent.json'])
})

test('a second enrolment sends the old credential only to the same host, and keeps the settings', async () => {
  const { requests, url } = await startServer()
  const dataDir = makeDataDir()
  await enroll(url, dataDir, '--spooler', 'virtual')
  writeFileSync(join(dataDir, 'agent.json'), `\ufeff${JSON.stringify({ ...readJson(dataDir), proxy: 'none' })}`)
  expect((await enroll(url, dataDir)).stdout).toContain('Restart the agent')
  expect(requests.map(({ body }) => body.previousCredential)).toEqual([undefined, credential(1)])
  expect(readJson(dataDir)).toMatchObject({ credential: credential(2), spooler: 'virtual', proxy: 'none' })
  await enroll(url.replace('127.0.0.1', 'localhost'), dataDir)
  expect(requests.at(-1)?.body.previousCredential).toBeUndefined()
  expect(requests.at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}`)
})

test('--allow-network-printers permits them, and a second enrolment keeps what the owner has written', async () => {
  proves('network.flag')
  const { url } = await startServer()
  const dataDir = makeDataDir()
  const write = (allowedNetworks: unknown) =>
    writeFileSync(join(dataDir, 'agent.json'), JSON.stringify({ ...readJson(dataDir), allowedNetworks }))
  const enrollAgain = async (...flags: string[]) => {
    expect(await enroll(url, dataDir, ...flags)).toMatchObject({ code: 0 })
    return readJson(dataDir).allowedNetworks
  }
  expect(await enrollAgain()).toBeUndefined()
  expect(await enrollAgain('--allow-network-printers')).toBe(true)
  expect(await enrollAgain()).toBe(true)
  write(['10.2.0.0/16:9200'])
  expect(await enrollAgain('--allow-network-printers')).toEqual(['10.2.0.0/16:9200'])
  write(false)
  expect(await enrollAgain()).toBe(false)
  expect(await enrollAgain('--allow-network-printers')).toBe(true)
})

test('the token is read from a file or from standard input, also in UTF-16, without the line end', async () => {
  proves('agent.enroll.token-file')
  const { requests, url } = await startServer()
  const file = join(makeDataDir(), 'token')
  writeFileSync(file, `${TOKEN}\r\n`)
  const read = (stdin: string, path: string) =>
    runWithInput(stdin, 'enroll', '--server', url, '--token-file', path, '--data-dir', makeDataDir())
  expect(await read('', file)).toMatchObject({ code: 0, stderr: '' })
  expect(await read(`${TOKEN}\n`, '-')).toMatchObject({ code: 0, stderr: '' })
  const utf16 = () => Buffer.from(`\ufeff${TOKEN}\r\n`, 'utf16le')
  for (const bytes of [utf16(), utf16().swap16()]) {
    writeFileSync(file, bytes)
    expect(await read('', file)).toMatchObject({ code: 0, stderr: '' })
  }
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill(`Bearer ${TOKEN}`))
  for (const [stdin, path, sentence] of [
    ['', '-', /^The enrolment token is missing: pass --token-file/],
    ['two words', '-', /^The text is not an enrolment token/],
    ['', '/nowhere', /^--token-file \/nowhere is not readable: ENOENT/],
  ] as const)
    expect(await read(stdin, path)).toMatchObject({ code: 2, stderr: expect.stringMatching(sentence) })
  expect(requests).toHaveLength(4)
})

test('enroll uses the proxy of the environment, and trusts and stores the authority of --ca-file', async () => {
  const { requests, url } = await startServer(undefined, 0, 'https://print.test:8090')
  const caFile = join(makeDataDir(), 'ca.pem')
  writeFileSync(caFile, `\ufeff${readFileSync(getTestAuthority().caFile, 'utf8')}`, 'utf16le')
  const proxy = await startProxy({ user: 'till:pass' })
  const dataDir = makeDataDir()
  const server = `https://print.test:${await startTlsFront(url, 'print.test')}`
  setEnvironment({ HTTPS_PROXY: proxy.url })
  const unknown = await enroll(server, dataDir)
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/issued by an unknown authority/),
  })
  expect(requests).toEqual([])
  expect(await enroll(server, dataDir, '--ca-file', caFile)).toMatchObject({ code: 0 })
  expect(readJson(dataDir)).toMatchObject({ caFile, serverUrl: server })
  expect(await enroll(server, dataDir)).toMatchObject({ code: 0 })
  expect(requests).toHaveLength(2)
  expect(proxy.requests).toEqual(Array(3).fill(server.replace('https://', '')))
})

describe("the address of the agents' port", () => {
  async function enrollByTls(agentUrl: string, ...more: string[]) {
    const { url } = await startServer(undefined, 0, agentUrl)
    const dataDir = makeDataDir()
    const server = `https://127.0.0.1:${await startTlsFront(url, '127.0.0.1')}`
    const outcome = await enroll(server, dataDir, '--ca-file', getTestAuthority().caFile, ...more)
    return { ...outcome, stored: isEnrolled(dataDir) ? readJson(dataDir).agentUrl : undefined }
  }
  const DOWNGRADE = /would connect to http:.* without TLS.*PLATEN_AGENT_PUBLIC_URL.*--insecure/
  const OTHER_HOST =
    /would connect to elsewhere\.test, another host than 127\.0\.0\.1.*PLATEN_AGENT_PUBLIC_URL.*--agent-host elsewhere\.test/

  test.each<[string, string, string[], RegExp]>([
    ['without TLS', 'http://127.0.0.1:8090', [], DOWNGRADE],
    ['at another host', 'https://elsewhere.test', [], OTHER_HOST],
    ['at another host than the named one', 'https://elsewhere.test', ['--agent-host', 'agents.test'], OTHER_HOST],
    ['at the named host without TLS', 'http://elsewhere.test', ['--agent-host', 'elsewhere.test'], DOWNGRADE],
  ])('is refused %s, and no configuration is written', async (_, url, args, sentence) => {
    proves('agent.enroll.downgrade', 'agent.enroll.other-host')
    expect(await enrollByTls(url, ...args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(sentence),
      stored: undefined,
    })
  })

  test.each<[string, string, string[]]>([
    ['at the same host by TLS', 'https://127.0.0.1:8090', []],
    ['at the named host by TLS', 'https://elsewhere.test', ['--agent-host', 'elsewhere.test']],
    ['anywhere with --insecure', 'http://elsewhere.test', ['--insecure']],
  ])('is accepted %s', async (_, url, args) => {
    expect(await enrollByTls(url, ...args)).toMatchObject({ code: 0, stored: url })
  })

  test('at another host is refused also without TLS', async () => {
    const { url } = await startServer(undefined, 0, 'http://elsewhere.test:8090')
    expect(await enroll(url, makeDataDir())).toMatchObject({ code: 1, stderr: expect.stringMatching(OTHER_HOST) })
  })
})

test('an old credential that was issued by TLS is not sent without TLS', async () => {
  proves('agent.enroll.previous-credential')
  const { requests, url } = await startServer(undefined, 0, 'https://127.0.0.1:8090')
  const dataDir = makeDataDir()
  const secure = `https://127.0.0.1:${await startTlsFront(url, '127.0.0.1')}`
  const byTls = () => enroll(secure, dataDir, '--ca-file', getTestAuthority().caFile)
  await byTls()
  await byTls()
  await enroll(url, dataDir)
  expect(await byTls()).toMatchObject({ code: 0 })
  const sent = requests.map(({ body }) => body.previousCredential)
  expect(sent).toEqual([undefined, credential(1), undefined, credential(3)])
})

test('a refusal shows the message of the service and changes no file', async () => {
  const message = 'The enrolment token is used up: make a new one.'
  const { url } = await startServer({ status: 401, body: JSON.stringify({ error: { code: 'unauthorized', message } }) })
  const dataDir = makeDataDir()
  expect(await enroll(url, dataDir)).toMatchObject({ code: 1, stderr: `${message}\n` })
  expect(readdirSync(dataDir)).toEqual([])
  writeFileSync(join(dataDir, 'agent.json'), '{"not": "valid"}')
  expect((await enroll(url, dataDir)).stderr).toMatch(/unknown field "not".* It is replaced\.\n.*used up/s)
  expect(readFileSync(join(dataDir, 'agent.json'), 'utf8')).toBe('{"not": "valid"}')
})

describe('a data directory that cannot keep the credential costs no token', () => {
  test.each<[Parameters<typeof refuseCall>[0], string, RegExp]>([
    ['openSync', 'EACCES', /as root or as the owner/],
    ['openSync', 'EROFS', /--data-dir to a directory on a local disk/],
    ['writeFileSync', 'ENOSPC', /Free space/],
    ['fsyncSync', 'EIO', /--data-dir/],
    ['renameSync', 'EPERM', /--data-dir to a directory on a local disk/],
  ])('%s with %s', async (call, code, remedy) => {
    proves('agent.enroll.disk')
    const { requests, url } = await startServer()
    const dataDir = makeDataDir()
    refuseCall(call, code)
    const answer = await enroll(url, dataDir)
    expect(answer).toMatchObject({ code: 2, stderr: expect.stringMatching(/^The data directory .* is not writable: /) })
    expect(answer.stderr).toMatch(remedy)
    expect([requests, readdirSync(dataDir)]).toEqual([[], []])
  })
})

test('a computer whose file system syncs no directory is enrolled', async () => {
  const { url } = await startServer()
  const dataDir = makeDataDir()
  await refuseDirectorySync('EINVAL')
  expect(await enroll(url, dataDir)).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(dataDir)).toEqual(['agent.json'])
})

describe('an enrolment whose response is lost', () => {
  /** A server that ends the connection of the first `lost` requests when it has read them. */
  async function startLossyServer(lost: number) {
    const started = await startServer(undefined, 0, AGENT_URL, lost)
    return { ...started, keys: () => started.requests.map(({ headers }) => headers['idempotency-key']) }
  }
  const HINT = 'If the token was used, the same command works again with it for 60 s.\n'
  const unfinished = { code: 1, stderr: expect.stringContaining(HINT) }

  test('is repeated once with the same key', async () => {
    proves('agent.enroll.reset')
    const { keys, url } = await startLossyServer(1)
    const dataDir = makeDataDir()
    expect(await enroll(url, dataDir)).toMatchObject({ code: 0, stderr: '' })
    expect(keys()).toEqual(Array(2).fill(expect.stringMatching(/^[\w-]{43}$/)))
    expect(new Set(keys()).size).toBe(1)
    expect(readdirSync(dataDir)).toEqual(['agent.json'])
  })

  test('is repeated by the same command with the same key; another data directory, token or server has another one', async () => {
    proves('agent.enroll.repeated')
    const { keys, url } = await startLossyServer(2)
    const dataDir = makeDataDir()
    expect(await enroll(url, dataDir)).toMatchObject(unfinished)
    await enroll(url, makeDataDir())
    setEnvironment({ PLATEN_ENROLL_TOKEN: TOKEN.replace('t', 'x') })
    const other = await startServer()
    expect(await enroll(other.url, dataDir)).toMatchObject({ code: 0 })
    const [lost, repeated, elsewhere] = keys()
    expect(repeated).toBe(lost)
    expect(new Set([lost, elsewhere, other.requests[0]?.headers['idempotency-key']]).size).toBe(3)
  })

  test('is repeated after the configuration could not be written', async () => {
    proves('agent.enroll.repeated')
    const { keys, url } = await startLossyServer(0)
    const dataDir = makeDataDir()
    const end = refuseCall('renameSync', 'ENOSPC', (_, to) => to === join(dataDir, 'agent.json'))
    expect(await enroll(url, dataDir)).toMatchObject(unfinished)
    end()
    expect(await enroll(url, dataDir)).toMatchObject({ code: 0 })
    expect(await enroll(url, dataDir)).toMatchObject({ code: 0 })
    const [lost, repeated, next] = keys()
    expect(repeated).toBe(lost)
    expect(next).not.toBe(lost)
  })

  test('is an enrolment that has succeeded, also if the key cannot be deleted', async () => {
    const { url } = await startLossyServer(0)
    const dataDir = makeDataDir()
    refuseCall('rmSync', 'EPERM', (path) => path === join(dataDir, 'enrollment-key'))
    const warning = { code: 0, stderr: expect.stringMatching(/EPERM.*Delete/) }
    expect(await enroll(url, dataDir)).toMatchObject(warning)
  })
})

const enrolled = { computerId: 'x', credential: credential(1), agentUrl: AGENT_URL }

test.each([
  ['a web page and the expected status', 201, '<html>'],
  ['no credential', 201, JSON.stringify({ ...enrolled, credential: undefined })],
  ['a credential that is not a valid header', 201, JSON.stringify({ ...enrolled, credential: 'platen_agent_\n' })],
  ['an invalid address', 201, JSON.stringify({ ...enrolled, agentUrl: 'file:///etc' })],
  ['more than the maximum length', 201, 'x'.repeat(1_000_000)],
])('a server that responds with %s is not accepted', async (_, status, body) => {
  const { url } = await startServer({ status, body })
  const dataDir = makeDataDir()
  const { code, stderr } = await enroll(url, dataDir)
  expect(code).toBe(1)
  expect(stderr).toMatch(/is not Platen\. It has answered with HTTP status \d+\. |the response is too long/)
  expect(isEnrolled(dataDir)).toBe(false)
})

test('a server without TLS on another computer is used with --insecure', async () => {
  proves('agent.enroll.tls')
  const { requests, url } = await startServer()
  const proxy = await startProxy()
  setEnvironment({ http_proxy: proxy.url })
  expect(await enroll(url.replace('127.0.0.1', 'print.test'), makeDataDir(), '--insecure')).toMatchObject({ code: 0 })
  expect(requests).toHaveLength(1)
})

test('a proxy that requires a password is named, with and without TLS', async () => {
  proves('agent.proxy.named')
  const proxy = await startProxy({ user: 'till:pass' })
  setEnvironment({ http_proxy: `http://${proxy.host}`, https_proxy: `http://till:wrong@${proxy.host}` })
  const cases: [string, RegExp][] = [
    ['http://print.test', /^The proxy \S+ requires a password \(HTTP status 407\)\. Write it into HTTPS_PROXY/],
    ['https://print.test', /^The proxy \S+ refuses the user and the password of HTTPS_PROXY/],
  ]
  for (const [server, stderr] of cases)
    expect(await enroll(server, makeDataDir(), '--insecure')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(stderr),
    })
})

test('invalid arguments and files, and a server without TLS on another computer, are detected before the token is sent', async () => {
  proves('agent.enroll.tls')
  const { requests, url } = await startServer()
  const blocked = join(makeDataDir(), 'file')
  writeFileSync(blocked, '')
  const notToken = join(makeDataDir(), 'token')
  writeFileSync(notToken, 'a b')
  const faults: [string[], RegExp][] = [
    [['--server', 'print.example'], /^--server must be the http/],
    [['--server', 'http://user:pass@print.example'], /^--server must be/],
    [['--token', TOKEN], /^Unknown option '--token'.*--token-file FILE/s],
    [['--token-file', '/nowhere'], /^--token-file \/nowhere is not readable/],
    [['--token-file', notToken], /^The text is not an enrolment token/],
    [['--server', 'http://print.example'], /^http:\/\/print\.example has no TLS.*https:\/\/ address.*--insecure/],
    [['--spooler', 'lp'], /^--spooler must be system or virtual/],
    [['--ca-file', '/nowhere.pem'], /nowhere\.pem is not usable/],
    [['--ca-file', blocked], /is not usable: it contains no PEM certificate/],
    [['--data-dir', join(blocked, 'in')], /is not writable/],
  ]
  for (const [args, sentence] of faults) {
    const { code, stderr } = await enroll(url, makeDataDir(), ...args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)])
  }
  expect(requests).toEqual([])
})

test.runIf(process.getuid?.() === 0)(
  'a file that root creates belongs to the owner of the data directory',
  async () => {
    const { url } = await startServer()
    const dataDir = makeDataDir()
    chownSync(dataDir, 65_534, 65_534)
    await enroll(url, dataDir)
    expect(statSync(join(dataDir, 'agent.json'))).toMatchObject({ uid: 65_534, gid: 65_534 })
  },
)

test.runIf(process.getuid?.() === 0)('an owner that cannot be changed is a warning', async () => {
  const { url } = await startServer()
  const dataDir = makeDataDir()
  refuseCall('fchownSync', 'EPERM')
  expect(await enroll(url, dataDir)).toMatchObject({ code: 0, stderr: '' })
  chownSync(dataDir, 65_534, 65_534)
  const { code, stderr } = await enroll(url, dataDir)
  expect(code).toBe(0)
  expect(stderr).toMatch(/agent\.json belongs to user 0 and not to user 65534.*EPERM.*Run the agent as user 0\./)
  expect(statSync(join(dataDir, 'agent.json'))).toMatchObject({ uid: 0 })
})

test('a response 429 is retried, other errors are not', async () => {
  const { requests, url } = await startServer(undefined, 2)
  expect(await enroll(url, makeDataDir())).toMatchObject({ code: 0 })
  expect(requests).toHaveLength(3)
  const body = JSON.stringify({ error: { message: 'Try again in a moment.' } })
  const failing = await startServer({ status: 503, body })
  expect(await enroll(failing.url, makeDataDir())).toMatchObject({ code: 1, stderr: 'Try again in a moment.\n' })
  expect(failing.requests).toHaveLength(1)
})
