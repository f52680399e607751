import { readFileSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { startBox } from '../box.ts'
import { CREDENTIAL, NEW_CREDENTIAL, useService } from '../scripted-service.ts'
import { connectAgent, createQuickSpooler, makeDataDir, startAgent } from '../start-agent.ts'

const service = useService()

const waitForHellos = (count: number) =>
  waitFor(() => expect(service.getMessages('hello').length).toBeGreaterThanOrEqual(count))

test('a stopping agent closes its stream', async () => {
  const agent = await connectAgent(service)
  expect(await agent.stop()).toBe('stopped')
  expect(service.cleanEnds).toBe(1)
})

test('the agent reconnects after the time of Reconnect', async () => {
  await connectAgent(service)
  const sentAtMs = performance.now()
  service.send({ case: 'reconnect', value: { afterMs: 300 } })
  await waitForHellos(2)
  expect(performance.now() - sentAtMs).toBeGreaterThanOrEqual(299)
  expect(service.cleanEnds).toBe(1)
})

test('an agent without a connection reconnects when the addresses of its computer change', async () => {
  proves('agent.reconnect.network')
  await connectAgent(service, { timings: { backoff: { baseMs: 1e9, maxMs: 1e9 } } })
  service.failStreams()
  const interfaces = vi.spyOn(os, 'networkInterfaces')
  onTestFinished(() => interfaces.mockRestore())
  await waitFor(() => expect(interfaces).toHaveBeenCalled())
  interfaces.mockReturnValue({ eth0: [{ internal: false, address: '192.0.2.7' } as os.NetworkInterfaceInfo] })
  await waitForHellos(2)
})

test('each hello contains the id of the run and the next stream number', async () => {
  service.script = { hello: () => ({ case: 'reconnect', value: { afterMs: 1 } }) }
  startAgent(service)
  await waitForHellos(3)
  const [first, ...later] = service.getMessages('hello').slice(0, 3)
  expect(first?.runId).not.toBe('')
  for (const { runId } of later) expect(runId).toBe(first?.runId)
  expect([first, ...later].map((hello) => hello?.streamNumber)).toEqual([1, 2, 3])
})

test('the agent sends heartbeats and reconnects after three heartbeats without an answer', async () => {
  service.heartbeatSeconds = 1
  service.script = { heartbeat: () => undefined }
  startAgent(service)
  const getKinds = () => service.messages.map(({ message }) => message.case).join(' ')
  await waitFor(() => expect(getKinds()).toMatch(/hello( heartbeat){2,} hello/))
})

test('a connection stays if its ping is answered after 39 s, and ends without an answer within 60 s', async () => {
  proves('agent.keepalive')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const box = await startBox(service.url)
  const agent = startAgent(box, { timings: { welcomeTimeoutMs: 1e6 } })
  await waitFor(() => expect(agent.readLog()).toContain('"connected"'))
  box.hold()
  await vi.advanceTimersByTimeAsync(59_000)
  box.release()
  service.print()
  await waitFor(() => expect(service.getMessages('received')).toHaveLength(1))
  expect(agent.readLog()).not.toContain('"disconnected"')
  box.hold()
  await vi.advanceTimersByTimeAsync(60_000)
  await waitFor(() => expect(agent.readLog()).toContain('"disconnected"'))
})

/** An agent with a job at its spooler and one that is being submitted, when another agent supersedes it. */
async function supersede() {
  const dataDir = makeDataDir()
  const spooler = createQuickSpooler(dataDir)
  const printing = Promise.withResolvers<void>()
  const submitting = Promise.withResolvers<void>()
  const agent = await connectAgent(service, {
    dataDir,
    spooler: {
      ...spooler,
      async submitHeld(submission) {
        if (submission.printerOsName === 'Test Letter Color') await submitting.promise
        return await spooler.submitHeld(submission)
      },
      async *watch(id, signal) {
        await printing.promise
        yield* spooler.watch(id, signal)
      },
    },
  })
  const [released, unreleased] = [service.print(), service.print({ printerOsName: 'Test Letter Color' })]
  await waitFor(() => expect(agent.calls('release')).toHaveLength(1))
  await waitFor(() => expect(service.getMessages('received')).toHaveLength(2))
  service.send({ case: 'superseded', value: { hostname: 'till-2' } })
  await waitFor(() => expect(agent.readLog()).toContain('superseded'))
  return { agent, released, unreleased, finishSubmission: submitting.resolve, finishPrint: printing.resolve }
}

test('a superseded agent reports the jobs of its spooler to their end, prints no other job, and names the other computer', async () => {
  proves('agent.superseded.finish')
  const { agent, released, unreleased, finishSubmission, finishPrint } = await supersede()
  finishSubmission()
  const withdrawn = [{ state: ReportedState.ERROR, reasons: ['agent-superseded'] }]
  await waitFor(() => expect(service.getReports(unreleased.jobId)).toMatchObject(withdrawn))
  expect(service.cleanEnds).toBe(0)
  finishPrint()
  expect(await agent.end).toBe('superseded')
  expect(service.getReports(released.jobId).at(-1)?.state).toBe(ReportedState.DONE)
  expect(agent.calls('release')).toMatchObject([{ token: released.jobId }])
  expect(agent.readLog()).toContain('same credential from the computer \\"till-2\\", so this one stops')
})

test('a superseded agent does not reconnect, also if the service requests it', async () => {
  const { agent } = await supersede()
  service.send({ case: 'reconnect', value: { afterMs: 0 } })
  expect(await agent.end).toBe('superseded')
  expect(service.getMessages('hello')).toHaveLength(1)
})

/** An agent whose Welcome has a new credential. */
async function offerCredential(inFile: string) {
  const dataDir = makeDataDir()
  const path = join(dataDir, 'agent.json')
  writeFileSync(path, JSON.stringify({ agentUrl: service.url, credential: inFile, raw: false }))
  const value = { computerId: 'computer', heartbeatSeconds: 20 }
  service.script = { hello: () => ({ case: 'welcome', value: { ...value, newCredential: NEW_CREDENTIAL } }) }
  const agent = await connectAgent(service, { dataDir })
  return { agent, readFile: () => ({ ...JSON.parse(readFileSync(path, 'utf8')), mode: statSync(path).mode & 0o077 }) }
}

test('a new credential of Welcome is stored, confirmed and used by later connections; other values of the file stay', async () => {
  proves('agent.credential.replaced')
  const { readFile } = await offerCredential(CREDENTIAL)
  await waitFor(() => expect(service.getMessages('credentialStored')).toHaveLength(1))
  expect(readFile()).toEqual({ agentUrl: service.url, credential: NEW_CREDENTIAL, raw: false, mode: 0 })
  service.script = {}
  service.send({ case: 'reconnect', value: { afterMs: 1 } })
  await waitForHellos(2)
  expect(service.credentials).toEqual([CREDENTIAL, NEW_CREDENTIAL])
})

test('an agent that cannot store its new credential keeps the present one and does not confirm', async () => {
  const { agent, readFile } = await offerCredential('platen_agent_enrolled_again')
  await waitFor(() => expect(agent.readLog()).toContain('the new credential was not stored'))
  service.send({ case: 'reconnect', value: { afterMs: 1 } })
  await waitForHellos(2)
  expect(service.credentials).toEqual([CREDENTIAL, CREDENTIAL])
  expect(readFile().credential).toBe('platen_agent_enrolled_again')
  expect(service.getMessages('credentialStored')).toEqual([])
})
