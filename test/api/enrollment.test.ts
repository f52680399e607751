/** Enrollment by a token: the commands of the agent with the real service. The guides run the agent as a program. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askStatus } from '@platen/agent/status/ask-status.ts'
import { runCommand, setEnvironment, startCommand } from '@platen/agent/tests/start-program.ts'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Api } from '../harness/api.ts'
import { proves } from '../harness/rules.ts'
import { waitFor } from '../harness/wait-for.ts'
import { agentAddress, installation, newJob, newOrganization } from './installation.ts'

let api: Api

beforeAll(async () => {
  ;({ api } = await newOrganization())
})

const makeToken = async (): Promise<string> => (await api.post('/v1/enrollments', {})).body.token

async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-agent-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

async function enroll(dataDir: string, token: string, ...more: string[]) {
  setEnvironment({ PLATEN_ENROLL_TOKEN: token })
  const given = ['enroll', '--server', installation.credentials.baseUrl, '--spooler', 'virtual', '--data-dir', dataDir]
  const { code, stdout, stderr } = await runCommand(...given, ...more)
  const [, computerId = ''] = /enrolled as ([\da-f-]{36})\./.exec(stdout) ?? []
  return { code, stderr, computerId }
}

/** @returns the running command, connected. */
async function startAgent(dataDir: string, printMs = 60) {
  setEnvironment({ PLATEN_VIRTUAL_PRINT_MS: String(printMs) })
  const agent = startCommand('run', '--data-dir', dataDir)
  await waitFor(async () => expect((await askStatus(dataDir))?.connection.state).toBe('connected'))
  return agent
}

async function createJobOn(computerId: string): Promise<string> {
  const { body } = await api.get(`/v1/computers/${computerId}/printers`)
  // Only the virtual printers of test mode support `[fail]`.
  const laser = body.data.find(({ osName }: { osName: string }) => osName === 'Test A4 Laser')
  return (await api.createJob(newJob(laser.id, { title: 'Invoice [fail]' }))).id
}

async function printOn(computerId: string): Promise<void> {
  const id = await createJobOn(computerId)
  expect(await api.waitUntilFinal(id)).toMatchObject({ state: 'done', mode: 'live', stateReasons: [] })
}

test('a token and two commands lead to a computer that prints, also [fail] in live mode', async () => {
  proves('test-mode.fail.live', 'agent.credential.own', 'endpoint.POST.agents.enroll')
  const dataDir = await makeDataDir()
  const enrolled = await enroll(dataDir, await makeToken(), '--name', 'Back office')
  expect(enrolled).toMatchObject({ code: 0, stderr: '' })
  const { agentUrl } = JSON.parse(await readFile(join(dataDir, 'agent.json'), 'utf8'))
  expect(agentUrl).toBe(`http://${agentAddress}`)
  await startAgent(dataDir)
  await printOn(enrolled.computerId)
  const { body } = await api.get(`/v1/computers/${enrolled.computerId}`)
  expect(body).toMatchObject({ name: 'Back office', mode: 'live', state: 'online' })
  expect(await runCommand('doctor', '--data-dir', dataDir)).toMatchObject({ code: 0 })
})

test('enrolled again from the same data directory it is the same computer; the older credential is refused', async () => {
  proves('agent.enroll-again')
  const dataDir = await makeDataDir()
  const first = await enroll(dataDir, await makeToken())
  const before = await makeDataDir()
  await cp(dataDir, before, { recursive: true })
  const second = await enroll(dataDir, await makeToken(), '--name', 'Another name')
  expect(second.computerId).toBe(first.computerId)
  startCommand('run', '--data-dir', before)
  await waitFor(async () =>
    expect((await askStatus(before))?.connection.reason).toMatch(
      /^The service at \S+ does not accept the credential of this computer: The credential of this computer was replaced\./,
    ),
  )
})

test('of two computers that were cloned with one credential the older agent finishes its job, ends with 3 and stays away', async () => {
  proves('agent.superseded.exit')
  const dataDir = await makeDataDir()
  const token = await makeToken()
  const { computerId } = await enroll(dataDir, token)
  const clone = await makeDataDir()
  await cp(dataDir, clone, { recursive: true })
  const older = await startAgent(dataDir, 1_000)
  const jobId = await createJobOn(computerId)
  await waitFor(async () => expect((await api.get(`/v1/printjobs/${jobId}`)).body.state).toBe('printing'))
  await startAgent(clone)
  let code: number | undefined
  void older.code.then((ended) => {
    code = ended
  })
  await waitFor(() => expect(code, older.logged()).toBe(3))
  expect(older.logged()).toMatch(
    /Another agent has connected with the same credential from the computer \\".+\\", so this one stops\. Enrol each computer separately\./,
  )
  await printOn(computerId)
  const { body } = await api.get(`/v1/printjobs/${jobId}`)
  expect(body, older.logged()).toMatchObject({ state: 'done', stateReasons: [] })
  expect((await askStatus(clone))?.connection.state).toBe('connected')
  // The service refuses a used token in its own words.
  const refused = { code: 1, stderr: 'The enrolment token is used up. Create a new one.\n' }
  expect(await enroll(await makeDataDir(), token)).toMatchObject(refused)
})
