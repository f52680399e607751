/** A computer joins by a token and prints, its agent being the program as it is shipped and the service the real one. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askStatus } from '@platen/agent/status/ask-status.ts'
import { exitCodeOf, runProgram, startProgram } from '@platen/agent/tests/start-program.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Api, createApi } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'

let system: System
let api: Api

beforeAll(async () => {
  system = await startSystem()
  const organizationId = await system.createOrganization()
  api = createApi(system.baseUrl, await system.addKey(organizationId, 'live', ['admin']))
})

afterAll(() => system?.stop())

async function makeToken(wanted: object = {}): Promise<string> {
  const { status, body } = await api.post('/v1/enrollments', wanted)
  expect(status).toBe(201)
  return body.token
}

async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-agent-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

async function enroll(dataDir: string, token: string, ...more: string[]) {
  const given = ['--server', system.baseUrl, '--token', token, '--spooler', 'virtual', '--data-dir', dataDir]
  const { code, stdout, stderr } = await runProgram(['enroll', ...given, ...more])
  const [, computerId = ''] = /enrolled as ([\da-f-]{36})\./.exec(stdout) ?? []
  return { code, stderr, computerId }
}

const START_LIMIT_MS = 60_000

/** @returns the process, connected. */
async function startAgent(dataDir: string) {
  const agent = startProgram(['run', '--data-dir', dataDir])
  await waitFor(async () => expect((await askStatus(dataDir))?.connection.state).toBe('connected'), START_LIMIT_MS)
  return agent
}

const computers = async () => (await api.get('/v1/computers?limit=100')).body.data

async function printOn(computerId: string): Promise<void> {
  const { body } = await api.get(`/v1/computers/${computerId}/printers`)
  const content = makePdf('Hello').toString('base64')
  const job = { printerId: body.data[0].id, title: 'Hello', contentType: 'pdf_base64', content }
  const { id } = await api.createJob(job)
  await waitFor(async () => expect((await api.getJob(id)).state).toBe('done'))
}

test('a token, one command and another one lead to a computer that prints', async () => {
  const dataDir = await makeDataDir()
  const enrolled = await enroll(dataDir, await makeToken(), '--name', 'Back office')
  expect(enrolled).toMatchObject({ code: 0, stderr: '' })
  const { agentUrl } = JSON.parse(await readFile(join(dataDir, 'agent.json'), 'utf8'))
  const { hostname } = new URL(system.baseUrl)
  expect(agentUrl).toBe(`http://${hostname}:${system.agentAddress.split(':').at(-1)}`)
  const agent = await startAgent(dataDir)
  await printOn(enrolled.computerId)
  expect(await computers()).toContainEqual(
    expect.objectContaining({ id: enrolled.computerId, name: 'Back office', mode: 'live', state: 'online' }),
  )
  expect(await runProgram(['doctor', '--data-dir', dataDir])).toMatchObject({ code: 0 })
  expect(agent.child.exitCode).toBeNull()
})

test('enrolled again from the same data directory it is the same computer, and its older credential is none', async () => {
  const dataDir = await makeDataDir()
  const first = await enroll(dataDir, await makeToken())
  const before = await makeDataDir()
  await cp(dataDir, before, { recursive: true })
  const second = await enroll(dataDir, await makeToken(), '--name', 'Another name')
  expect(second.computerId).toBe(first.computerId)
  const stale = startProgram(['run', '--data-dir', before])
  expect(await exitCodeOf(stale.child)).toBe(3)
  expect(await stale.stdout).toContain('does not accept the credential')
  const own = await startAgent(dataDir)
  await printOn(second.computerId)
  expect(own.child.exitCode).toBeNull()
})

test('tokens that are wrong or used up are refused in the words of the service', async () => {
  const used = await makeToken()
  expect((await enroll(await makeDataDir(), used)).code).toBe(0)
  const refusals: [string, RegExp][] = [
    [used, /^The enrolment token is used up: make a new one\.\n$/],
    [used.replace(/.$/, used.endsWith('A') ? 'E' : 'A'), /^There is no such enrolment token: /],
    ['platen_enroll_x', /^There is no such enrolment token: /],
  ]
  for (const [token, sentence] of refusals)
    expect(await enroll(await makeDataDir(), token)).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) })
})

test('of two computers that were cloned with one credential the older agent says so, ends with 3 and stays away', async () => {
  const dataDir = await makeDataDir()
  const { computerId } = await enroll(dataDir, await makeToken())
  const clone = await makeDataDir()
  await cp(dataDir, clone, { recursive: true })
  const older = await startAgent(dataDir)
  const newer = await startAgent(clone)
  expect(await exitCodeOf(older.child)).toBe(3)
  expect(await older.stdout).toContain(
    'Another agent has connected with the same credential, so this one stops: enrol each computer for itself.',
  )
  await printOn(computerId)
  expect(newer.child.exitCode).toBeNull()
  expect((await askStatus(clone))?.connection.state).toBe('connected')
  expect((await askStatus(dataDir))?.connection.state).toBeUndefined()
})
