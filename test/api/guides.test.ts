/** The guides are correct: runs the commands and programs of the files in `docs/`. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { NATS_OPERATOR } from '@platen/deploy/nats-users.ts'
import { Webhook } from 'standardwebhooks'
import { describe, expect, type TestContext, test } from 'vitest'
import { type Failure, startLossyProxy } from '../../clients/conformance/lossy-proxy.ts'
import { whyNoCups } from '../cups/find-cups.ts'
import { startCups } from '../cups/start-cups.ts'
import { freePort } from '../harness/free-port.ts'
import { waitFor } from '../harness/wait-for.ts'
import { installation, newJob, newOrganization, type Organization, PDF } from './installation.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const readDocs = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8')
const { baseUrl } = installation.credentials
const NO_CUPS = await whyNoCups()

/** All blocks of a language, one after the other. */
function blocks(guide: string, language: string): string {
  const found = [...readDocs(guide).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))]
  expect(found.length).toBeGreaterThan(0)
  return found.map(([, code]) => code).join('\n')
}

/** Requires each text. */
function replaceAll(script: string, changes: [string, string][]): string {
  for (const [from] of changes) expect(script).toContain(from)
  return changes.reduce((changed, [from, to]) => changed.replace(from, to), script)
}

/** Working directory of the programs, with `document.pdf`. */
async function workDirectory({ onTestFinished }: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-guide-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'document.pdf'), PDF)
  return directory
}

/** Fails in each way of the table of repetitions: docs/reference/errors.md#repeating-a-request. */
async function startFailingProxy() {
  const failures: Record<string, (Failure | undefined)[]> = {
    '/v1/printers': ['html-502', 'cut'],
    // The second attempt meets the first one, the third is a replay.
    '/v1/printjobs': ['gateway-timeout', undefined, 'cut-body'],
  }
  const proxy = await startLossyProxy(baseUrl, ({ url = '' }) => failures[url.split('?')[0] ?? '']?.shift())
  const expectAllFailures = () => {
    expect(failures).toEqual({ '/v1/printers': [], '/v1/printjobs': [] })
    expect(proxy.statuses()).toContain(409)
  }
  return { ...proxy, expectAllFailures }
}

describe.concurrent('the API guide', () => {
  const runProgram = async (directory: string, key: string, url = baseUrl) => {
    await writeFile(join(directory, 'print.ts'), blocks('recipes/typescript.md', 'ts'))
    const env = { ...process.env, PLATEN_URL: url, PLATEN_KEY: key }
    return (await promisify(execFile)(process.execPath, ['print.ts'], { cwd: directory, env })).stdout
  }

  test('leads from a key to a job in done, by its commands', async (context) => {
    const { testApi } = await newOrganization()
    const script = replaceAll(blocks('api.md', 'sh'), [
      ['=http://localhost:8080\n', `=${baseUrl}\n`],
      ['=platen_test_…\n', `=${testApi.key}\n`],
    ])
    const shell = ['-euo', 'pipefail', '-c', `${script}\necho "$JOB"`]
    const { stdout } = await promisify(execFile)('bash', shell, { cwd: await workDirectory(context) })
    const lines = stdout.trimEnd().split('\n')
    const id = lines.pop() ?? ''
    expect(lines.join('\n')).toMatch(
      /Z done\nnot_cancellable\n[\w-]+\n(Label [321] of order 4711\n){3}Printed\nThe virtual printer .* printed the job\. Test mode uses no paper\.$/,
    )
    expect(await testApi.getJob(id)).toMatchObject({ state: 'done', title: 'Hello' })
  })

  test('leads there by its program, which does not repeat what cannot succeed', async (context) => {
    const { testApi } = await newOrganization()
    const directory = await workDirectory(context)
    const [id = '', state] = (await runProgram(directory, testApi.key)).trim().split(' ')
    expect(state).toBe('done')
    expect(await testApi.getJob(id)).toMatchObject({ state: 'done', title: 'Hello' })
    const refused = /401 unauthorized: This key has a typing error/
    await expect(runProgram(directory, 'platen_test_wrong')).rejects.toThrow(refused)
  })

  test('has a program that prints a job once through a proxy that cuts, answers too early and sends pages', async (context) => {
    const { testApi } = await newOrganization()
    const proxy = await startFailingProxy()
    context.onTestFinished(proxy.stop)
    await runProgram(await workDirectory(context), testApi.key, proxy.url)
    expect((await testApi.get('/v1/printjobs')).body.data).toMatchObject([{ title: 'Hello', state: 'done' }])
    proxy.expectAllFailures()
  })
})

describe.concurrent('the agent guide', () => {
  /** @returns the output lines of the commands and the id of the job. Ends processes that they leave running. */
  async function follow(
    { api, addKey }: Organization,
    directory: string,
    env: NodeJS.ProcessEnv,
    changes: [string, string][],
  ) {
    const { key: printingKey } = (await addKey('live', 'read,print')).api
    const script = replaceAll(blocks('agent.md', 'sh'), [
      ['=http://localhost:8080\n', `=${baseUrl}\n`],
      ['=platen_live_…\n', `=${printingKey}\n`],
      ['$(jq -er .adminKey .platen/credentials.json)', api.key],
      // Without npm, which starts more slowly than the agent.
      ['npm run -s agent --', `'${process.execPath}' '${join(ROOT, 'agent/main.ts')}'`],
      ['support-bundle\n', `support-bundle --output '${join(directory, 'bundle.tar.gz')}'\n`],
      ...changes,
    ])
    const options = { cwd: directory, env: { ...process.env, ...env }, detached: true }
    // Bash takes the socket of its input for a login over a network, and would read its start file.
    const shell = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', `${script}\necho "$JOB"`], options)
    const output = text(shell.stdout)
    const errors = text(shell.stderr)
    const [code] = await once(shell, 'exit')
    process.kill(-(shell.pid ?? 0))
    expect([code, await errors]).toEqual([0, ''])
    const lines = (await output).trimEnd().split('\n')
    const id = lines.pop() ?? ''
    expect(lines).toContain('done')
    expect(lines).toContain('No problems found.')
    expect(lines.join('\n')).toMatch(/connected since/)
    expect(await api.getJob(id)).toMatchObject({ state: 'done', title: 'Hello', mode: 'live' })
    expect(await readFile(join(directory, 'agent.out'), 'utf8')).toContain('job finished')
    return lines
  }

  test.skipIf(NO_CUPS)('leads from nothing to paper on CUPS, and to a bundle for support', async (context) => {
    const { server, laser, run, stop } = await startCups()
    context.onTestFinished(stop)
    await run('lpadmin', '-d', 'A4_Laser')
    const organization = await newOrganization()
    const directory = await workDirectory(context)
    // The guide uses the first printer of the list; this test the one with paper.
    const choice: [string, string] = ["'.data[0].id'", `'.data[] | select(.osName == "A4_Laser").id'`]
    const env = { STATE_DIRECTORY: join(directory, 'state'), CUPS_SERVER: server }
    const lines = await follow(organization, directory, env, [choice])
    expect(lines.join('\n')).toMatch(/^A4_Laser .*default/m)
    expect(laser.printed()).toHaveLength(1)
  })

  test('leads to the virtual printers if no other printer exists', async (context) => {
    const organization = await newOrganization()
    const directory = await workDirectory(context)
    const env = { STATE_DIRECTORY: join(directory, 'state'), PLATEN_VIRTUAL_PRINT_MS: '60' }
    await follow(organization, directory, env, [
      ['--token-file -', '--spooler virtual --token-file -'],
      ["'.data[0].id'", `'.data[] | select(.osName == "Test A4 Laser").id'`],
      ['platen-agent printers', 'true'],
    ])
  })

  test('has every command and every field of agent.json', async () => {
    const guide = readDocs('agent.md')
    const source = await readFile(join(ROOT, 'agent/cli/command-line.ts'), 'utf8')
    const [, commands = ''] = /const COMMANDS[^=]*= \{(.*?)^\}/ms.exec(source) ?? []
    const names = [...commands.matchAll(/^ {2}'?([a-z-]+)'?:/gm)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) expect(guide).toMatch(new RegExp(`^\\| \`${name}[ \`]`, 'm'))
    const config = await readFile(join(ROOT, 'agent/config.ts'), 'utf8')
    const [, fields = ''] = /export interface AgentConfig \{(.*?)^\}/ms.exec(config) ?? []
    for (const [, name] of fields.matchAll(/^ {2}(\w+)\??:/gm))
      expect(guide).toMatch(new RegExp(`^\\| \`${name}\``, 'm'))
  })
})

const isThere = (command: string, ...question: string[]) => {
  try {
    return execFileSync(command, question.length > 0 ? question : ['--version']) !== undefined
  } catch {
    return false
  }
}

describe.concurrent('the recipe', () => {
  for (const { page, language, file, command, args, isInstalled } of [
    { page: 'shell', language: 'sh', file: 'print.sh', command: 'sh', args: [], isInstalled: isThere('jq') },
    { page: 'php', language: 'php', file: 'print.php', command: 'php', args: [], isInstalled: isThere('php') },
    {
      page: 'go',
      language: 'go',
      file: 'print.go',
      command: 'go',
      args: ['run'],
      // `npm run test:long -- recipes`: Go compiles its library for 20 s.
      isInstalled: process.env.PLATEN_TEST_GO !== undefined && isThere('go', 'version'),
    },
  ])
    test.skipIf(!isInstalled)(
      `in ${language} prints a job once whose answers are lost, and explains what was not printed`,
      async (context) => {
        const { testApi } = await newOrganization()
        const directory = await workDirectory(context)
        await writeFile(join(directory, file), blocks(`recipes/${page}.md`, language))
        await copyFile(join(directory, 'document.pdf'), join(directory, 'invoice [fail].pdf'))
        const proxy = await startFailingProxy()
        context.onTestFinished(proxy.stop)
        const env = { ...process.env, PLATEN_URL: proxy.url, PLATEN_KEY: testApi.key }
        const print = async (document: string, overrides = {}) =>
          await promisify(execFile)(command, [...args, file, document, 'Test A4 Laser'], {
            cwd: directory,
            env: { ...env, ...overrides },
          })

        const { stdout } = await print('document.pdf')
        const { body } = await testApi.get('/v1/printjobs')
        expect(body.data).toMatchObject([{ title: 'document.pdf', state: 'done' }])
        expect(stdout).toBe(`${body.data[0].id} done\n`)
        proxy.expectAllFailures()
        const failed = { code: 1, stderr: expect.stringMatching(/Printed or not: unknown[\s\S]*\[fail\]/) }
        await expect(print('invoice [fail].pdf')).rejects.toMatchObject(failed)
        const refused = { stderr: expect.stringContaining('This key has a typing error') }
        await expect(print('document.pdf', { PLATEN_KEY: 'platen_test_wrong' })).rejects.toMatchObject(refused)
      },
    )

  test('of cron prints once a day, with the variables that cron sets', async (context) => {
    const { testApi } = await newOrganization()
    const directory = await workDirectory(context)
    await writeFile(join(directory, 'print.sh'), blocks('recipes/shell.md', 'sh'))
    await copyFile(join(directory, 'document.pdf'), join(directory, 'report.pdf'))
    await writeFile(join(directory, 'platen.env'), `PLATEN_URL=${baseUrl}\nPLATEN_KEY=${testApi.key}\n`)
    const [, line = ''] = /^30 6 \* \* \* (.*)$/m.exec(blocks('recipes/shell.md', 'text')) ?? []
    const env = { HOME: directory, LOGNAME: 'user', PATH: '/usr/bin:/bin', SHELL: '/bin/sh' }
    const run = async () =>
      (await promisify(execFile)('/bin/sh', ['-c', line.replaceAll('\\%', '%')], { cwd: '/', env })).stdout
    const first = await run()
    expect(first).toMatch(/^\S+ done\n$/)
    expect(await run()).toBe(first)
  })
})

describe.concurrent('the webhook guide', () => {
  for (const [language, file, command] of [
    ['ts', 'receive.ts', process.execPath],
    ['python', 'receive.py', 'python3'],
  ] as const)
    test.skipIf(!isThere(command))(
      `has a program in ${language} that takes what is delivered, once, and refuses what was changed`,
      async (context) => {
        const { testApi } = await newOrganization()
        const port = String(await freePort())
        const url = `http://127.0.0.1:${port}/hook`
        const { body: endpoint } = await testApi.post('/v1/webhooks', { url, events: ['printjob.done'] })
        const directory = await workDirectory(context)
        await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
        await writeFile(join(directory, file), blocks('webhooks.md', language))
        const env = { ...process.env, WEBHOOK_SECRET: endpoint.secret, PORT: port }
        const program = spawn(command, [file], { cwd: directory, env })
        context.onTestFinished(() => void program.kill('SIGKILL'))
        let output = ''
        program.stdout.on('data', (chunk: Buffer) => {
          output += chunk
        })
        await waitFor(() => expect(output).toContain(`listening on ${port}`))

        const { id: printerId } = await testApi.printer('Test A4 Laser')
        const { id: jobId } = await testApi.createJob(newJob(printerId))
        const eventId = await waitFor(() => {
          const [, found] = output.match(new RegExp(`printjob\\.done (\\S+) ${jobId}`)) ?? []
          if (!found) throw new Error(`the event of the job is not in: ${output}`)
          return found
        })
        await waitFor(async () => {
          const { body } = await testApi.get(`/v1/webhooks/${endpoint.id}/deliveries`)
          expect(body.data).toMatchObject([{ eventId, status: 'succeeded', lastStatusCode: 204 }])
        })

        const payload = JSON.stringify((await testApi.get(`/v1/events/${eventId}`)).body)
        const other = `whsec_${Buffer.alloc(24).toString('base64')}`
        const send = async ({ at = new Date(), secret = endpoint.secret, body = payload, headers = {} }) => {
          const signed = {
            'webhook-id': eventId,
            'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
            'webhook-signature': new Webhook(secret).sign(eventId, at, payload),
          }
          return (await fetch(url, { method: 'POST', body, headers: { ...signed, ...headers } })).status
        }
        expect(await send({})).toBe(204)
        expect(await send({ body: payload.replace('done', 'gone') })).toBe(401)
        expect(await send({ secret: other })).toBe(401)
        expect(await send({ headers: { 'webhook-id': 'another' } })).toBe(401)
        expect(await send({ at: new Date(Date.now() - 6 * 60_000) })).toBe(401)
        expect(await send({ headers: { 'webhook-signature': '' } })).toBe(401)
        expect(output.match(new RegExp(eventId, 'g'))).toHaveLength(1)
      },
    )
})

test('the program of `docs/lists.md` mirrors all jobs, over a restart, failures and an expired cursor', async (context) => {
  const { testApi, addKey } = await newOrganization()
  const { key } = (await addKey('test', 'read')).api
  const { id: printerId } = await testApi.printer('Test A4 Laser')
  const directory = await workDirectory(context)
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  await writeFile(join(directory, 'mirror.ts'), blocks('lists.md', 'ts'))
  const failures: (Failure | undefined)[] = [undefined, undefined, 'html-502', 'cut']
  const proxy = await startLossyProxy(baseUrl, ({ url = '' }) =>
    url.includes('/events') ? failures.shift() : undefined,
  )
  context.onTestFinished(proxy.stop)
  const start = () => {
    const env = { ...process.env, PLATEN_URL: proxy.url, PLATEN_KEY: key }
    const program = spawn(process.execPath, ['--no-warnings', 'mirror.ts'], { cwd: directory, env, stdio: 'ignore' })
    context.onTestFinished(() => void program.kill('SIGKILL'))
    return program
  }
  const isMirrored = async (count: number) => {
    const { jobs } = JSON.parse(await readFile(join(directory, 'mirror.json'), 'utf8'))
    const states = Object.values<{ state: string }>(jobs).map(({ state }) => state)
    expect(states).toEqual(Array.from({ length: count }, () => 'done'))
    const { body } = await testApi.get('/v1/printjobs')
    expect(Object.keys(jobs).toSorted()).toEqual(body.data.map(({ id }: { id: string }) => id).toSorted())
  }
  await testApi.createJob(newJob(printerId))
  const first = start()
  await waitFor(() => isMirrored(1))
  await testApi.createJob(newJob(printerId))
  await waitFor(() => isMirrored(2))
  first.kill('SIGKILL')
  await once(first, 'exit')
  await testApi.createJob(newJob(printerId))
  const second = start()
  await waitFor(() => isMirrored(3))
  second.kill('SIGKILL')
  await once(second, 'exit')
  await testApi.createJob(newJob(printerId))
  failures.splice(0, failures.length, { status: 410, code: 'cursor_expired' })
  start()
  await waitFor(() => isMirrored(4))
  expect(failures).toEqual([])
})

test('the event stream has each event of a job of test mode, without a webhook endpoint, for the program of its page', async (context) => {
  const { id, testApi } = await newOrganization()
  const directory = await workDirectory(context)
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  await copyFile(join(ROOT, 'proto/platen/events/v1/events.proto'), join(directory, 'events.proto'))
  await writeFile(join(directory, 'warehouse.mjs'), blocks('operations/event-stream.md', 'js'))
  const { host, port, authorization } = JSON.parse(
    await readFile(join(installation.dataDir, 'nats', 'nats-server.conf'), 'utf8'),
  )
  const operator = authorization.users.find(({ user }: { user: string }) => user === NATS_OPERATOR)
  const reader = spawn(process.execPath, ['warehouse.mjs'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NATS_URL: `${host}:${port}`, NATS_USER: NATS_OPERATOR, NATS_PASSWORD: operator.password },
  })
  context.onTestFinished(() => void reader.kill())
  let output = ''
  reader.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const { id: printerId } = await testApi.printer('Test A4 Laser')
  const { id: jobId } = await testApi.createJob(newJob(printerId))
  const types = () =>
    output
      .split('\n')
      .filter((line) => line.startsWith(id) && line.includes(jobId))
      .map((line) => JSON.parse(line.slice(id.length)).type)
  await waitFor(() =>
    expect(types()).toEqual(['queued', 'sent', 'received', 'printing', 'done'].map((state) => `printjob.${state}`)),
  )
})
