import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { useService } from '../scripted-service.ts'
import { connectAgent, startAgent } from '../start-agent.ts'

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
