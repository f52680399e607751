import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { useService } from '../scripted-service.ts'
import { connectAgent, startAgent } from '../start-agent.ts'

const service = useService()

const hellos = (count: number) => waitFor(() => expect(service.heard('hello').length).toBeGreaterThanOrEqual(count))

test('an agent that stops ends its stream cleanly', async () => {
  const agent = await connectAgent(service)
  expect(await agent.stop()).toBe('stopped')
  expect(service.cleanEnds).toBe(1)
})

test('after Reconnect the agent connects again after the given time', async () => {
  await connectAgent(service)
  const askedAtMs = performance.now()
  service.send({ case: 'reconnect', value: { afterMs: 300 } })
  await hellos(2)
  expect(performance.now() - askedAtMs).toBeGreaterThanOrEqual(299)
  expect(service.cleanEnds).toBe(1)
})

test('each hello has the id of the run and the next number', async () => {
  service.script = { hello: () => ({ case: 'reconnect', value: { afterMs: 1 } }) }
  startAgent(service)
  await hellos(3)
  const [first, ...later] = service.heard('hello').slice(0, 3)
  expect(first?.runId).not.toBe('')
  for (const { runId } of later) expect(runId).toBe(first?.runId)
  expect([first, ...later].map((hello) => hello?.streamNumber)).toEqual([1, 2, 3])
})

test('the agent sends heartbeats, and reconnects after three without an answer', async () => {
  service.heartbeatSeconds = 1
  service.script = { heartbeat: () => undefined }
  startAgent(service)
  const said = () => service.said.map(({ message }) => message.case).join(' ')
  await waitFor(() => expect(said()).toMatch(/hello( heartbeat){2,} hello/))
})
