/** The result of `print --wait` as exit code, with an agent that is killed while it has the job. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askStatus } from '@platen/agent/status/ask-status.ts'
import { agentAddress, installation, newOrganization, type Organization, PDF } from '@platen/test/api/installation.ts'
import { connectLightAgent } from '@platen/test/harness/light-agent.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { type Environment, run, start } from './run-platen.ts'

/** On a busy machine. */
const START_TIMEOUT_MS = 60_000
const AGENT = join(import.meta.dirname, '../../../agent/main.ts')

let organization: Organization
let env: Environment
let file: string

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'platen-exit-'))
  organization = await newOrganization()
  env = { PLATEN_URL: installation.credentials.baseUrl, PLATEN_KEY: organization.api.key, XDG_CONFIG_HOME: dir }
  file = join(dir, 'invoice.pdf')
  await writeFile(file, PDF)
  return () => rm(dir, { recursive: true })
})

/** A computer whose agent is a process. */
async function enrollAgent({ onTestFinished }: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-agent-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const { body } = await organization.api.post('/v1/enrollments', {})
  const server = installation.credentials.baseUrl
  const args = ['enroll', '--server', server, '--spooler', 'virtual', '--data-dir', dataDir]
  const enrolled = spawn(process.execPath, [AGENT, ...args], {
    env: { ...process.env, PLATEN_ENROLL_TOKEN: body.token },
    stdio: 'ignore',
  })
  expect(await once(enrolled, 'exit')).toEqual([0, null])
  const configFile = join(dataDir, 'agent.json')
  return {
    async configure(printers: object[]) {
      const config = JSON.parse(await readFile(configFile, 'utf8'))
      await writeFile(configFile, JSON.stringify({ ...config, printers }))
    },
    async start(): Promise<ChildProcess> {
      const agent = spawn(process.execPath, [AGENT, 'run', '--data-dir', dataDir], {
        stdio: 'ignore',
      })
      onTestFinished(() => void agent.kill('SIGKILL'))
      await waitFor(
        async () => expect((await askStatus(dataDir))?.connection.state).toBe('connected'),
        START_TIMEOUT_MS,
      )
      return agent
    },
  }
}

/** A network printer that takes a document and never closes its connection. */
async function startStuckPrinter({ onTestFinished }: TestContext) {
  let receivedBytes = 0
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.on('data', (bytes) => {
      receivedBytes += bytes.length
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { uri: `socket://127.0.0.1:${(server.address() as AddressInfo).port}`, received: () => receivedBytes }
}

async function kill(agent: ChildProcess): Promise<void> {
  agent.kill('SIGKILL')
  await once(agent, 'exit')
}

async function findPrinter(name: string): Promise<string> {
  return await waitFor(async () => (await organization.api.printer(name)).id)
}

describe.concurrent('print --wait', () => {
  test('exits with 4 and says what to do if the agent was killed while it printed, with 3 for a job that waited behind and whose printer is gone afterwards', async (context) => {
    const agents = await enrollAgent(context)
    const device = await startStuckPrinter(context)
    await agents.configure([{ name: 'Stuck', uri: device.uri }])
    const agent = await agents.start()
    const printer = await waitFor(async () => {
      const { body } = await organization.api.get(`/v1/printers/${await findPrinter('Stuck')}`)
      expect(body.state).toBe('online')
      return body.id
    })
    const print = () => start(['print', '-w', '-d', printer, '--type', 'raw', file], env)
    const first = print()
    await waitFor(() => expect(device.received()).toBeGreaterThan(0))
    const second = print()
    await waitFor(() => expect(second.output.stderr).toContain('received'))
    await kill(agent)
    await agents.configure([])
    await agents.start()
    const maybe = await first.ended
    // The explanation ends with actions.
    expect(maybe.stderr).toMatch(/Check for the paper first\n.+\n(- .+\n)+$/)
    expect(maybe.code).toBe(4)
    const { code, stderr } = await second.ended
    expect(stderr).toContain('Not printed')
    expect(code).toBe(3)
  })

  test('exits with 6 at its timeout, and with 5 after the job was cancelled', async () => {
    const { computerId, agent, printerId } = await organization.connectAgent({ printers: ['Asleep'] })
    agent.close()
    await waitFor(async () =>
      expect((await organization.api.get(`/v1/computers/${computerId}`)).body.state).toBe('offline'),
    )
    const late = await run(['print', '-w', '--timeout', '1', '-d', printerId, file], env)
    expect(late).toMatchObject({ code: 6, stderr: expect.stringContaining('The job continues: platen jobs wait') })
    expect(late.stderr).toMatch(/not ended after 1 s\. Not printed yet: .*till-1.* offline/)

    const id = late.stdout.trim()
    const waiting = start(['jobs', 'wait', id], env)
    await waitFor(() => expect(waiting.output.stderr).toContain('queued'))
    await waitFor(() => expect(waiting.output.stderr).toMatch(/^Not printed yet: .*till-1.* offline/m))
    expect(await run(['jobs', 'cancel', id], env)).toMatchObject({ code: 0, stdout: 'cancelled\n' })
    expect((await waiting.ended).code).toBe(5)
    expect((await run(['jobs', 'wait', id], env)).code).toBe(5)
    expect((await run(['jobs', 'cancel', id], env)).code).toBe(1)
  })

  test('exits with 130 at Ctrl-C, and the job continues', async () => {
    const printers = ['Resting']
    const { agent, credential, printerId } = await organization.connectAgent({ printers })
    // The job must not end before the program.
    agent.close()
    const printing = start(['print', '-w', '-d', printerId, file], env)
    await waitFor(() => expect(printing.output.stderr).toContain('queued'))
    printing.child.kill('SIGINT')
    const { code, stdout } = await printing.ended
    expect(code).toBe(130)
    await connectLightAgent(agentAddress, credential, { printers })
    expect(await organization.api.waitUntilFinal(stdout.trim())).toMatchObject({ state: 'done' })
  })
})

test('an address of a host has 2 s for a connection before the next one is tried', async () => {
  const script =
    "import net from 'node:net';process.on('exit',()=>console.log(net.getDefaultAutoSelectFamilyAttemptTimeout()))"
  const options = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
  expect((await run(['unknown'], { ...env, ...options })).stdout).toBe('2000\n')
})
