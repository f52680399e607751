/** The agent as a process of its own: exit codes, signals, and death at any moment. */
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { CREDENTIAL, type ScriptedService, startScriptedService } from '../scripted-service.ts'
import { makeDataDir, spoolerCalls } from '../start-agent.ts'
import { exitCodeOf, startProgram } from '../start-program.ts'

// Programs start, some of them several after each other.
vi.setConfig({ testTimeout: 120_000 })

let service: ScriptedService

beforeEach(async () => {
  service = await startScriptedService()
  return () => service.stop()
})

function makeConfigured(config: object = { agentUrl: service.url, credential: CREDENTIAL, spooler: 'virtual' }) {
  const dataDir = makeDataDir()
  writeFileSync(join(dataDir, 'agent.json'), JSON.stringify(config), { mode: 0o600 })
  return dataDir
}

const start = (...args: string[]) => startProgram(args)

test('a wrong command line or configuration gives one sentence and exit code 2', async () => {
  const faults: [string[], RegExp][] = [
    [[], /^Platen agent .*Usage: platen-agent COMMAND /s],
    [['print'], /^There is no command print\.\n/],
    [['run', '--colour'], /^Unknown option '--colour'.*\nUsage: platen-agent run /],
    [['run', 'now'], /^Unexpected argument 'now'.*\nUsage: platen-agent run /],
    [['run', '--data-dir', '/nowhere'], /^This computer is not enrolled, .*: run `platen-agent enroll /],
    [['status', '--data-dir', '/nowhere'], /^This computer is not enrolled, /],
    [
      ['run', '--data-dir', makeConfigured({ agentUrl: 'ftp://x', credential: 'no', spooler: 'lp', more: 1 })],
      /^\S+ is not valid: "more" is not known; "agentUrl" .*; "credential" .*; "spooler" .*\.\n$/,
    ],
  ]
  await Promise.all(
    faults.map(async ([args, sentence]) => {
      const { child, stderr } = start(...args)
      expect(await exitCodeOf(child)).toBe(2)
      expect(await stderr).toMatch(sentence)
    }),
  )
})

test('the parent hears when the agent is ready, and SIGTERM ends it with 0', async () => {
  const dataDir = makeConfigured()
  chmodSync(join(dataDir, 'agent.json'), 0o640)
  const { child, stdout, stderr } = start('run', '--data-dir', dataDir)
  expect(await once(child, 'message')).toEqual([{ ready: true }, undefined])
  child.kill('SIGTERM')
  expect(await exitCodeOf(child)).toBe(0)
  expect(service.cleanEnds).toBe(1)
  expect(await stdout).toContain('chmod 600')
  expect(await stdout).not.toContain(CREDENTIAL)
  expect(await stderr).toBe('')
})

test('an agent whose parent is gone stops', async () => {
  const { child } = start('run', '--data-dir', makeConfigured())
  await once(child, 'message')
  child.disconnect()
  expect(await exitCodeOf(child)).toBe(0)
})

test('Superseded and a credential that is not valid end the process with 3', async () => {
  const stranger = makeConfigured({ agentUrl: service.url, credential: 'platen_agent_other', spooler: 'virtual' })
  const refused = start('run', '--data-dir', stranger)
  const superseded = start('run', '--data-dir', makeConfigured())
  const codes = Promise.all([exitCodeOf(refused.child), exitCodeOf(superseded.child)])
  await once(superseded.child, 'message')
  service.send({ case: 'superseded', value: {} })
  expect(await codes).toEqual([3, 3])
  expect(await refused.stdout).toContain('does not accept the credential')
  expect(await superseded.stdout).toContain('Another agent has connected')
})

test('an agent whose computer was deleted says so and ends with 3', async () => {
  const { child, stdout } = start('run', '--data-dir', makeConfigured())
  await once(child, 'message')
  service.send({ case: 'computerDeleted', value: {} })
  expect(await exitCodeOf(child)).toBe(3)
  expect(await stdout).toContain('This computer was deleted')
})

test('a second agent in the same data directory fails', async () => {
  const dataDir = makeConfigured()
  const first = start('run', '--data-dir', dataDir)
  await once(first.child, 'message')
  const second = start('run', '--data-dir', dataDir)
  expect(await exitCodeOf(second.child)).toBe(1)
  expect(await second.stdout).toContain('Another agent is using the journal')
})

test('killed at random moments, the agent releases each job once and reports the outcome of all', async () => {
  const dataDir = makeConfigured()
  const rounds = 8
  const jobIds: string[] = []
  for (let round = 0; round < rounds; round++) {
    const { child } = start('run', '--data-dir', dataDir)
    await once(child, 'message')
    for (let index = 0; index < 6; index++) jobIds.push(service.print({}, Buffer.alloc(20_000, index)).jobId)
    await sleep(Math.random() * 120)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await once(start('run', '--data-dir', dataDir).child, 'message')
  expect(service.heard('hello')).toHaveLength(rounds + 1)
  sendAgainWhatIsNotHeld(jobIds)
  const outcomes = () => jobIds.map((jobId) => service.reportsOf(jobId).at(-1)?.state)
  await waitFor(() => expect(outcomes()).toEqual(jobIds.map(() => ReportedState.DONE)))
  expect(
    spoolerCalls(dataDir, 'release')
      .map(({ token }) => token)
      .sort(),
  ).toEqual(jobIds.toSorted())
  expect(spoolerCalls(dataDir, 'release').filter(({ error }) => error)).toEqual([])
})

/** As the service does after a hello. */
function sendAgainWhatIsNotHeld(jobIds: string[]): void {
  const held = new Set(service.heard('hello').at(-1)?.heldJobIds)
  const received = new Set(service.heard('received').map(({ jobId }) => jobId))
  for (const jobId of jobIds) {
    const document = service.documents.get(jobId)
    if (document && !held.has(jobId) && !received.has(jobId)) service.print({ jobId, attempt: 2 }, document)
  }
}
