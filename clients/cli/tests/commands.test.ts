import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installation, newOrganization, type Organization, PDF } from '@platen/test/api/installation.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toServerUrl } from '../commands/account.ts'
import { type Environment, run, runOnTerminal, start } from './run-platen.ts'

const ID = /^[0-9a-f-]{36}$/
const SECRET = `whsec_${Buffer.alloc(24, 'secret').toString('base64')}`

let dir: string
let organization: Organization
/** The environment of test mode. */
let env: Environment
/** An ended job. */
let jobId: string
let jobNumber: number
let printerId: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'platen-cli-'))
  organization = await newOrganization()
  const { testApi } = organization
  env = { PLATEN_URL: installation.credentials.baseUrl, PLATEN_KEY: testApi.key, XDG_CONFIG_HOME: dir }
  await writeFile(join(dir, 'label.pdf'), PDF)
  ;({ id: printerId } = await testApi.printer('Test A4 Laser'))
  const job = await testApi.createJob({
    printerId,
    title: 'Invoice\u001b[31m 1042',
    contentType: 'pdf_base64',
    content: PDF.toString('base64'),
  })
  jobId = job.id
  jobNumber = job.number
  await testApi.waitUntilFinal(jobId)
  await run(['destinations', 'create', 'kitchen', '-d', 'Test A4 Laser', '--standby', '5'], env)
})
afterAll(() => rm(dir, { recursive: true }))

describe.concurrent('in a pipe, a command prints data alone, in columns', () => {
  test.each<[args: () => string[], output: RegExp]>([
    [() => ['whoami'], /^Corner shop\ttest\t\S+.*\tread,print,admin\n$/],
    [
      () => ['jobs', 'list', '--state', 'done'],
      /^\d+\tdone\tTest A4 Laser\tInvoice {1,2}1042\t\d{4}-\d\d-\d\dT[\d:.]+Z$/m,
    ],
    [() => ['jobs', 'list', '-d', 'Test A4', '-l', '1'], /^\d+\t\w+\tTest A4 Laser\t[^\n]*\n$/],
    [() => ['jobs', 'list', '--computer', '1', '-l', '1'], /^\d+\t\w+\tTest [^\n]*\n$/],
    [() => ['jobs', 'show', jobId], /^state\tdone$/m],
    [() => ['jobs', 'show', String(jobNumber)], /^state\tdone$/m],
    [() => ['destinations', 'list'], /^1\tkitchen\tfirst\t0\tTest A4 Laser\n$/],
    [
      () => ['destinations', 'show', 'kitchen'],
      /^printers\tTest A4 Laser: available\npolicy\tfirst\nstandbyAfter\t5$/m,
    ],
    [() => ['computers', '1'], /^state\tonline$/m],
    [() => ['printers', 'list'], /^[0-9a-f-]{36}\t\w+\tTest A4 Laser\t-$/m],
    [() => ['printers', 'show', 'Test A4 Laser'], /^displayName\tTest A4 Laser$/m],
    [() => ['computers'], /^[0-9a-f-]{36}\tonline\t[^\t]+\t\S+\t\S+\n$/],
    [() => ['api', 'get', '/v1/printers?limit=1'], /^\{"data":\[\{.*\n$/],
    [() => ['api', 'GET', '/v1/printjobs', '-f', 'limit=1', '-f', 'state=done'], /^\{"data":\[\{[^\n]*\n$/],
  ])('%#', async (args, output) => {
    const { stdout } = await run(args(), env)
    expect(stdout).toMatch(output)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no text of the API can move the cursor
    expect(stdout).not.toMatch(/\u001b/)
  })

  test('a destination is created, changed, printed to and deleted by its name', async () => {
    const { testApi } = await newOrganization()
    const own = { ...env, PLATEN_KEY: testApi.key }
    await testApi.printer('Test A4 Laser')
    await run(['destinations', 'create', 'bar', '-d', 'Test A4 Laser', '--policy', 'any', '--expire', '600'], own)
    const { stdout } = await run(['print', '--destination', 'bar', join(dir, 'label.pdf'), '--wait', '--json'], own)
    const [job] = stdout.split('\n').map((line) => JSON.parse(line || 'null'))
    expect(job).toMatchObject({ expireAfter: 600, destinationId: expect.stringMatching(ID) })
    await run(['destinations', 'set', 'bar', '--name', 'counter', '--disable'], own)
    const both = await run(['print', '--destination', 'counter', '-d', 'Test', join(dir, 'label.pdf')], own)
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('cannot be combined')])
    await run(['destinations', 'delete', 'counter', '--end'], own)
    expect((await run(['destinations', 'list'], own)).stdout).toBe('')
  })

  test('with --json it prints one object per line', async () => {
    for (const args of [['printers', 'list'], ['jobs', 'list'], ['whoami'], ['computers']]) {
      const { stdout } = await run([...args, '--json'], env)
      const lines = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(lines.length, args.join(' ')).toBeGreaterThan(0)
      expect(stdout).not.toContain(env.PLATEN_KEY)
    }
  })

  test('an error of the API is one line on stderr with its code and its request, without the key', async () => {
    const { code, stdout, stderr } = await run(['jobs', 'show', '019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03'], env)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^.+\(not_found, request \S+\)\n$/)
    const wrong = await run(['whoami'], { ...env, PLATEN_KEY: 'platen_test_wrong' })
    expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('unauthorized') })
    expect(wrong.stderr).not.toContain('platen_test_wrong')
  })

  test('a file that no printer prints is refused with the option that sends it unchanged', async () => {
    const file = join(dir, 'notes.docx')
    await writeFile(file, Buffer.from(`PK\x03\x04${'\0'.repeat(26)}word/document.xml`, 'latin1'))
    const refused = await run(['print', file, '-d', 'Test Label 4x6'], env)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      /notes\.docx: This is a Word document\. Save it as PDF, .*\nWith --type raw it is sent/,
    )
    const { code, stdout } = await run(['print', file, '-d', 'Test Label 4x6', '--type', 'raw', '--json'], env)
    expect([code, JSON.parse(stdout).contentType]).toEqual([0, 'raw_base64'])
  })

  test.each([
    [['pint'], 'Did you mean print?'],
    [['print'], "missing required argument 'file'"],
    [['print', 'a.pdf', '-n', '0'], 'It must be a whole number above 0.'],
    [['print', 'a.pdf', 'b.pdf', '--idempotency-key', 'a'], 'each job needs its own key'],
    [['printers', 'set', 'Test A4 Laser'], 'Nothing to change'],
    [['api', 'PUT', '/v1/printers'], 'The method must be one of'],
    [['webhooks', 'listen', '--forward', 'localhost:3000'], '--forward must be an http or https URL'],
  ])('%j is a wrong usage: exit code 2 and a sentence', async (args, sentence) => {
    expect(await run(args, env)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) })
  })

  test('without a login a command says what to do', async () => {
    const none = { PLATEN_KEY: undefined, PLATEN_URL: undefined, XDG_CONFIG_HOME: join(dir, 'none') }
    expect(await run(['whoami'], none)).toMatchObject({ code: 1, stderr: expect.stringContaining('platen login') })
  })
})

describe.concurrent('on a terminal', () => {
  test('a list is a table with titles', async () => {
    const { code, stdout } = await runOnTerminal(['printers', 'list'], { ...env, NO_COLOR: '1' })
    expect(code).toBe(0)
    const lines = stdout.split('\r\n')
    expect(lines[0]).toMatch(/^ID {36}STATE +NAME +DETAIL$/)
    expect(lines.slice(1).some((line) => /^[0-9a-f-]{36} {2}\w+ +Test A4 Laser +-$/.test(line))).toBe(true)
  })

  test('jobs are shown by number, with their printer and their age', async () => {
    const { stdout } = await runOnTerminal(['jobs', 'list', '-s', 'done'], { ...env, NO_COLOR: '1' })
    const lines = stdout.split('\r\n')
    expect(lines[0]).toMatch(/^# +STATE +PRINTER +TITLE +AGE$/)
    expect(
      lines.some((line) => new RegExp(`^${jobNumber} +done +Test A4 Laser +Invoice +1042 +\\d+ (s|min)$`).test(line)),
    ).toBe(true)
  })

  test('titles are bold, but not with NO_COLOR', async () => {
    // Node expects no colours in an unknown CI.
    const coloured = { ...env, NO_COLOR: undefined, CI: undefined }
    expect((await runOnTerminal(['printers', 'list'], coloured)).stdout).toContain('\u001b[1mID')
    expect((await runOnTerminal(['printers', 'list'], { ...env, NO_COLOR: '1' })).stdout).not.toContain('\u001b')
  })

  test('times are local, with --utc as the API returns them', async () => {
    const zone = { ...env, TZ: 'America/New_York', NO_COLOR: '1' }
    const read = async (...more: string[]) =>
      (await runOnTerminal(['jobs', 'show', jobId, ...more], zone)).stdout.match(/createdAt +(.+?)\r/)?.[1] ?? ''
    const utc = await read('--utc')
    expect(utc).toMatch(/Z$/)
    const local = await read()
    const offsetMs = Date.parse(utc) - Date.parse(`${local.replace(' ', 'T')}Z`)
    expect([4, 5]).toContain(Math.round(offsetMs / 3_600_000))
  })

  test('login asks for server and key, hides the key, and stores both for their owner alone', async () => {
    const config = join(dir, 'login')
    const asked = { ...env, PLATEN_URL: undefined, PLATEN_KEY: undefined, XDG_CONFIG_HOME: config }
    const { code, stdout } = await runOnTerminal(['login'], asked, [
      ['Server', `${installation.credentials.baseUrl}\r`],
      ['API key', `${env.PLATEN_KEY}\r`],
    ])
    expect(stdout).toContain('Logged in to Corner shop, mode test')
    expect(code).toBe(0)
    expect(stdout).not.toContain(env.PLATEN_KEY)
    const file = join(config, 'platen/config.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(Object.values(JSON.parse(await readFile(file, 'utf8')).profiles)).toEqual([
      { url: installation.credentials.baseUrl, key: env.PLATEN_KEY },
    ])
    expect((await run(['whoami'], asked)).stdout).toContain('Corner shop')
    expect(await run(['whoami'], { ...asked, PLATEN_KEY: organization.api.key })).toMatchObject({
      stdout: expect.stringContaining('\tlive\t'),
    })
  })
})

describe.concurrent('login', () => {
  test('reads the key from standard input; each mode has its profile, and --profile selects one', async () => {
    const config = { PLATEN_URL: undefined, PLATEN_KEY: undefined, XDG_CONFIG_HOME: join(dir, 'profiles') }
    const login = (key: string, ...more: string[]) =>
      run(['login', '--server', installation.credentials.baseUrl, '--key-file', '-', ...more], config, `${key}\n`)
    expect((await login(organization.testApi.key)).code).toBe(0)
    expect((await login(organization.api.key, '--profile', 'shop')).code).toBe(0)
    expect((await run(['whoami'], config)).stdout).toContain('\tlive\t')
    const test = `${new URL(installation.credentials.baseUrl).host}-test`
    expect((await run(['whoami', '--profile', test], config)).stdout).toContain('\ttest\t')
    expect(await run(['whoami', '--profile', 'other'], config)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Known: ${test}, shop.`),
    })
  })

  test.each([
    ['https://print.example.com', 'https://print.example.com'],
    [' print.example.com/ ', 'https://print.example.com'],
    ['print.example.com:8443/app/jobs?org=1', 'https://print.example.com:8443'],
    ['http://print.lan/v1', 'http://print.lan'],
    ['https://example.com/print/v1/printers', 'https://example.com/print'],
    ['localhost:8080/docs/', 'http://localhost:8080'],
    ['127.0.0.1', 'http://127.0.0.1'],
    ['[::1]:8080', 'http://[::1]:8080'],
  ])('takes %j as %s', (text, url) => {
    expect(toServerUrl(text)).toBe(url)
  })

  test.each(['', 'ftp://print.example.com', 'https://user:secret@print.example.com', 'two words'])(
    'refuses %j',
    (text) => {
      expect(() => toServerUrl(text)).toThrow('is no address of an installation')
    },
  )

  test('without a scheme, a server that does not answer with TLS may have none', async () => {
    const config = { PLATEN_URL: undefined, PLATEN_KEY: undefined, XDG_CONFIG_HOME: join(dir, 'guess') }
    const refused = await run(['login', '--server', 'unknown.invalid', '--key-file', '-'], config, 'platen_test_a\n')
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/https:\/\/unknown\.invalid .* http:\/\/\.$/m),
    })
  })

  test('a key that the server refuses is not stored', async () => {
    const config = { PLATEN_URL: undefined, PLATEN_KEY: undefined, XDG_CONFIG_HOME: join(dir, 'refused') }
    const args = ['login', '--server', installation.credentials.baseUrl, '--key-file', '-']
    expect(await run(args, config, 'platen_test_wrong')).toMatchObject({ code: 1, stdout: '' })
    await expect(stat(join(dir, 'refused'))).rejects.toThrow('ENOENT')
  })
})

describe.concurrent('print', () => {
  test('with --batch the files are one batch, which its id lists and cancels', async () => {
    const label = join(dir, 'label.pdf')
    const args = ['print', label, label, '--batch', '-d', 'Test A4 Laser', '--idempotency-key', 'batch', '--hold']
    const [first, second] = [await run(args, env), await run(args, env)]
    const ids = first.stdout.trimEnd().split('\n')
    expect([first.code, ids]).toEqual([0, [expect.stringMatching(ID), expect.stringMatching(ID)]])
    expect(second.stdout).toBe(first.stdout)
    const { batchId } = await organization.testApi.getJob(ids[0] ?? '')
    const listed = await run(['jobs', 'list', '--batch', batchId, '--json'], env)
    expect(listed.stdout.trimEnd().split('\n')).toHaveLength(2)
    expect((await run(['jobs', 'cancel-batch', batchId], env)).stdout).toBe('2 cancelled, 0 not\n')
    const file = join(dir, 'unknown.bin')
    await writeFile(file, Buffer.from([0, 1, 2, 3]))
    const refused = await run(['print', label, file, '--batch', '-d', 'Test A4 Laser'], env)
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('With --type raw') })
  })

  test('prints the id of each job, with the letters of lp', async () => {
    const letters = ['-d', 'Test A4 Laser', '-n', '2', '-P', '1', '-t', 'Letters']
    const more = ['--meta', 'order=4711=A', '--meta', 'till=2']
    const options = [...letters, '-o', 'duplex=long-edge', '-o', 'crop=0,0,1050,1480', ...more]
    const { code, stdout } = await run(['print', ...options, join(dir, 'label.pdf'), '-'], env, PDF)
    expect(code).toBe(0)
    const ids = stdout.trimEnd().split('\n')
    expect(ids).toEqual([expect.stringMatching(ID), expect.stringMatching(ID)])
    const job = await organization.testApi.getJob(ids[0] ?? '')
    expect(job).toMatchObject({
      title: 'Letters',
      source: 'platen',
      options: { copies: 2, pages: '1', duplex: 'long-edge', crop: '0,0,1050,1480' },
      metadata: { order: '4711=A', till: '2' },
    })
    const found = await run(['jobs', 'list', '--meta', 'order=4711=A', '--json'], env)
    expect(found.stdout.match(/"title": ?"Letters"/g)).toHaveLength(2)
  })

  test('--wait shows the timeline and the explanation on stderr, and exits with 0 after done', async () => {
    const { code, stdout, stderr } = await run(['print', '--wait', '-d', 'Test A4 Laser', join(dir, 'label.pdf')], env)
    expect(stdout).toMatch(/^[0-9a-f-]{36}\n$/)
    for (const state of ['queued', 'sent', 'received', 'printing', 'done'])
      expect(stderr).toMatch(new RegExp(`Z  ${state}`))
    expect(stderr).toMatch(/Printed.*\n/)
    expect(code).toBe(0)
  })

  test('the same --idempotency-key prints once', async () => {
    const print = () => run(['print', '-d', printerId, '--idempotency-key', 'order-1042', join(dir, 'label.pdf')], env)
    const [first, second] = [await print(), await print()]
    expect(second).toEqual(first)
  })

  test('an unknown printer is exit code 1 and the names of all', async () => {
    const { code, stderr } = await run(['print', '-d', 'Nowhere', join(dir, 'label.pdf')], env)
    expect(code).toBe(1)
    expect(stderr).toContain('"Test A4 Laser"')
  })

  test('an answer that is lost in all attempts is exit code 4, with the key that prints nothing twice', async ({
    onTestFinished,
  }) => {
    const server = createServer((_, response) => response.destroy())
    const port = await freePort()
    server.listen(port, '127.0.0.1')
    onTestFinished(() => void server.close())
    const args = ['print', '-d', printerId, join(dir, 'label.pdf')]
    const lost = await run(args, { ...env, PLATEN_URL: `http://127.0.0.1:${port}` })
    expect(lost.code).toBe(4)
    const [, key] = lost.stderr.match(/--idempotency-key ([0-9a-f-]{36})/) ?? []
    expect(key).toBeDefined()
  })

  test('reprint prints the stored document of a number again', async () => {
    const { code, stdout } = await run(['jobs', 'reprint', `#${jobNumber}`, '--wait', '--json'], env)
    expect(JSON.parse(stdout).id).not.toBe(jobId)
    expect(code).toBe(0)
  })

  test('printers test prints in the language that the printer takes, or that is asked for', async () => {
    const { printerId: raw } = await organization.connectAgent({ printers: ['Without a driver'] })
    const live = { ...env, PLATEN_KEY: organization.api.key }
    for (const [environment, printer, options, begin] of [
      [env, 'Test A4 Laser', [], '%PDF-'],
      [live, raw, [], '^XA'],
      [env, 'Test Receipt 80mm', ['--language', 'escpos'], '\x1b@'],
    ] as const) {
      const { code, stdout, stderr } = await run(['printers', 'test', printer, ...options], environment)
      expect([printer, code, stderr]).toEqual([printer, 0, expect.stringContaining('Printed')])
      const headers = { authorization: `Bearer ${environment.PLATEN_KEY}` }
      const document = await fetch(`${env.PLATEN_URL}/v1/printjobs/${stdout.trim()}/document`, { headers })
      const text = await document.text()
      expect([text.slice(0, begin.length), text.includes('Platen test')]).toEqual([begin, true])
    }
  })

  test('jobs wait and jobs watch end with the job', async () => {
    const { stdout } = await run(['print', '-d', 'Test A4 Laser', join(dir, 'label.pdf')], env)
    const watching = run(['jobs', 'watch', stdout.trim()], env)
    const { number } = await organization.testApi.getJob(stdout.trim())
    const waited = await run(['jobs', 'wait', String(number)], env)
    expect(waited).toMatchObject({ code: 0, stdout: '' })
    const watched = await watching
    // A job that had ended before is an error with a hint.
    if (watched.code === 0) expect(watched.stdout).toMatch(/\tprintjob\.done\t/)
    else expect(watched.stderr).toContain('jobs show')
  })
})

describe.concurrent('other commands', () => {
  test('preview draws a label', async () => {
    const { code, stdout } = await run(['preview', '-'], env, '^XA^FO20,20^A0N,30,30^FDHello^FS^XZ')
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^<svg [\s\S]*<\/svg>\n$/) })
  })

  test('printers set changes a printer', async () => {
    const { stdout } = await run(
      ['printers', 'set', 'Test Label', '--remarks', 'Tray 2', '--default', 'copies=2', '--json'],
      env,
    )
    expect(JSON.parse(stdout)).toMatchObject({ remarks: 'Tray 2', defaultOptions: { copies: 2 } })
  })

  test('events tail prints new events until it is interrupted', async () => {
    const { child, output, ended } = start(['events', 'tail', '--type', 'printjob.queued'], env)
    // A job before the feed began is not part of it.
    await waitFor(async () => {
      await run(['print', '-d', 'Test A4 Laser', '-t', 'Tail', join(dir, 'label.pdf')], env)
      expect(output.stdout).toMatch(/^\S+Z\tprintjob\.queued\t[0-9a-f-]{36}\tTail$/m)
    })
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
  })

  test('webhooks create, replay and verify', async () => {
    const create = ['webhooks', 'create', '--url', 'http://127.0.0.1:8099/hook', '-t', 'printer.removed', '--json']
    const created = await run(create, env)
    expect(created).toMatchObject({ code: 0, stderr: '' })
    const endpoint = JSON.parse(created.stdout)
    expect(endpoint).toMatchObject({ url: 'http://127.0.0.1:8099/hook', secret: expect.stringMatching(/^whsec_/) })
    expect((await run(['webhooks', 'list'], env)).stdout).toBe(
      `${endpoint.id}\ttrue\thttp://127.0.0.1:8099/hook\tprinter.removed\n`,
    )
    // Jobs of other tests can end meanwhile; no printer is removed.
    const replay = ['webhooks', 'replay', endpoint.id, '--since', '2026-01-01T00:00:00Z']
    expect(await run(replay, env)).toMatchObject({ code: 0, stdout: '0\n' })

    const body = JSON.stringify({ id: '1', type: 'printjob.done' })
    const now = new Date()
    const headers = ['--id', '1', '--timestamp', String(Math.floor(now.getTime() / 1000))]
    const args = ['webhooks', 'verify', ...headers, '--signature', new Webhook(SECRET).sign('1', now, body)]
    const signed = { ...env, WEBHOOK_SECRET: SECRET }
    expect(await run(args, signed, body)).toMatchObject({ code: 0, stdout: 'printjob.done\t1\n' })
    expect(await run(args, signed, `${body} `)).toMatchObject({ code: 1, stdout: '' })
  })
})
