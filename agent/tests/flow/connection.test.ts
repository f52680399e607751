import { beforeEach, expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { pauseMs } from '../../uplink/backoff.ts'
import { type ScriptedService, startScriptedService } from '../scripted-service.ts'
import { startAgent } from '../start-agent.ts'

let service: ScriptedService

beforeEach(async () => {
  service = await startScriptedService()
  return () => service.stop()
})

const hellos = (count: number) => waitFor(() => expect(service.heard('hello').length).toBeGreaterThanOrEqual(count))

test('pauses have full jitter below a limit that doubles to its maximum', () => {
  const backoff = { baseMs: 1_000, maxMs: 60_000 }
  for (const [failures, limitMs] of [
    [0, 1_000],
    [1, 2_000],
    [5, 32_000],
    [6, 60_000],
    [500, 60_000],
  ] as const) {
    const pauses = Array.from({ length: 200 }, () => pauseMs(failures, backoff))
    expect(Math.max(...pauses)).toBeLessThan(limitMs)
    expect(Math.max(...pauses)).toBeGreaterThan(limitMs * 0.9)
    expect(Math.min(...pauses)).toBeLessThan(limitMs * 0.1)
  }
})

test('an agent that is told to stop ends its stream cleanly', async () => {
  const agent = startAgent(service)
  await hellos(1)
  expect(await agent.stop()).toBe('stopped')
  expect(service.cleanEnds).toBe(1)
})

test('Superseded stops the agent', async () => {
  const agent = startAgent(service)
  await hellos(1)
  service.send({ case: 'superseded', value: {} })
  expect(await agent.end).toBe('superseded')
  expect(service.heard('hello')).toHaveLength(1)
})

test('Computer deleted stops the agent', async () => {
  const agent = startAgent(service)
  await hellos(1)
  service.send({ case: 'computerDeleted', value: {} })
  expect(await agent.end).toBe('deleted')
  expect(service.heard('hello')).toHaveLength(1)
})

test('a credential that is not valid stops the agent', async () => {
  const agent = startAgent(service, { credential: 'platen_agent_other' })
  expect(await agent.end).toBe('unauthenticated')
})

test('Reconnect brings the agent back after the time it names', async () => {
  startAgent(service)
  await hellos(1)
  const askedAtMs = performance.now()
  service.send({ case: 'reconnect', value: { afterMs: 300 } })
  await hellos(2)
  expect(performance.now() - askedAtMs).toBeGreaterThanOrEqual(299)
  expect(service.cleanEnds).toBe(1)
})

test('without Welcome the agent gives the stream up and comes again', async () => {
  service.script = { hello: () => undefined }
  startAgent(service, { timings: { welcomeWithinMs: 500 } })
  await hellos(2)
})

test('each hello has the run of its agent, and a greater number than the one before it', async () => {
  service.script = { hello: () => ({ case: 'reconnect', value: { afterMs: 1 } }) }
  startAgent(service)
  await hellos(3)
  const [first, ...later] = service.heard('hello').slice(0, 3)
  expect(first?.runId).not.toBe('')
  expect([first, ...later].map((hello) => hello?.runId)).toEqual(Array(3).fill(first?.runId))
  expect([first, ...later].map((hello) => hello?.streamNumber)).toEqual([1, 2, 3])
})

test('the agent sends heartbeats, and reconnects when the service misses three', async () => {
  service.heartbeatSeconds = 1
  service.script = { heartbeat: () => undefined }
  startAgent(service)
  // Of an interval that comes late fewer are said: then the next stream has them.
  const said = () => service.said.map(({ message }) => message.case).join(' ')
  await waitFor(() => expect(said()).toMatch(/hello( heartbeat){2,} hello/))
})
