/** The explanation of jobs through the real services. Its rules: `tables/explain.test.ts`. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Answer } from '@platen/test/harness/api.ts'
import { signInAs } from '@platen/test/harness/browser.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import { connectTestAgent, LASER, type TestPrinter } from '../../../devices/tests/test-agent.ts'
import { expectError, newPrinting, UNKNOWN_ID } from '../client.ts'

const explain = async (api: { get(path: string): Promise<Pick<Answer, 'body'>> }, id: string) =>
  (await api.get(`/v1/printjobs/${id}/explanation`)).body
const kinds = ({ actions }: { actions: { kind: string }[] }) => actions.map(({ kind }) => kind)

/** An organization with a connected agent and its printers. */
async function connectPrinting(printers: TestPrinter[] = [LASER]) {
  const printing = await newPrinting()
  const { world, api, enroll } = printing
  const { computerId, credential } = await enroll('live', 'Packing-3')
  const agent = connectTestAgent(world.agentAddress, credential)
  agent.hello(printers)
  await agent.waitForMessages('welcome')
  const { body } = await api.get(`/v1/computers/${computerId}/printers`)
  const [printer] = body.data
  return {
    ...printing,
    agent,
    computerId,
    printer,
    create: (changes: Record<string, unknown> = {}) =>
      api.createJob(printing.job({ printerId: printer.id, ...changes })),
    explain: (id: string) => explain(api, id),
    becomes: (id: string, state: string) => waitFor(async () => expect((await api.getJob(id)).state).toBe(state)),
    /** The agent acknowledges the job. */
    async receive(id: string) {
      await waitFor(() => expect(agent.prints()).toContain(id))
      agent.received(id)
      await waitFor(async () => expect((await api.getJob(id)).state).toBe('received'))
    },
  }
}

test('a job of an offline computer says so, since when, and what to do; with events, printer, computer and queue', async () => {
  proves('endpoint.GET.printjobs.id.explanation', 'explanation.computer-offline')
  const { world, agent, api, create, computerId, printer, explain } = await connectPrinting()
  world.advance(60_000)
  const offlineAt = world.clock.now().toISOString()
  agent.shutDown()
  await waitFor(async () => expect((await api.get(`/v1/computers/${computerId}`)).body.state).toBe('offline'))
  await waitFor(async () =>
    expect((await api.get(`/v1/events?type=computer.offline&resourceId=${computerId}`)).body.data).toHaveLength(1),
  )
  world.advance(2 * 3_600_000 + 7 * 60_000)
  const job = await create()
  const found = await explain(job.id)
  expect(found).toMatchObject({
    jobId: job.id,
    code: 'computer-offline',
    paper: 'not_yet',
    headline: 'Not printed yet',
    cause: expect.stringMatching(/^Computer Packing-3 has been offline for 2 h 7 min\. The job expires at .* UTC\.$/),
    since: offlineAt,
    until: job.expiresAt,
    job,
    createdBy: { kind: 'key', id: expect.any(String), name: expect.any(String) },
    cancelledBy: null,
    events: [{ state: 'queued' }],
    around: [],
    computer: { id: computerId, state: 'offline' },
    queue: { position: 1, length: 1, headJobId: job.id },
  })
  const { capabilities: _, ...shown } = (await api.get(`/v1/printers/${printer.id}`)).body
  expect(found.printer).toEqual(shown)
  expect(kinds(found)).toEqual(['start_computer', 'run_doctor', 'print_elsewhere'])
})

test('a job waits while its agent does not acknowledge 8 earlier ones; at its computer it waits for those of its printer', async () => {
  const { api, agent, create, explain } = await connectPrinting()
  const first = await create()
  for (let n = 0; n < 8; n++) await create()
  const last = await create()
  await waitFor(() => expect(agent.prints()).toHaveLength(8))
  const queue = { position: 10, length: 10, headJobId: first.id }
  const waiting = await explain(last.id)
  expect(waiting).toMatchObject({ code: 'agent-window-full', paper: 'not_yet', queue })
  expect(waiting.actions[0]).toMatchObject({ kind: 'open_job', jobId: first.id })
  for (const id of agent.prints()) agent.received(id)
  await waitFor(() => expect(agent.prints()).toContain(last.id))
  agent.received(last.id)
  await waitFor(async () => expect((await api.getJob(last.id)).state).toBe('received'))
  expect(await explain(last.id)).toMatchObject({ code: 'in-spooler-queue', paper: 'not_yet', queue })
})

test('a queued job whose printer was disabled after its creation waits for it; cancelled, it says by whom', async () => {
  proves('explanation.printer-disabled', 'explanation.cancelled-by')
  const { api, printer, job } = await newPrinting()
  const { id } = await api.createJob(job())
  const second = await api.createJob(job())
  await api.patch(`/v1/printers/${printer.id}`, { enabled: false })
  const waiting = await explain(api, id)
  expect(waiting).toMatchObject({
    code: 'printer-disabled',
    cause: expect.stringMatching(/^Printer Laser is disabled\./),
  })
  expect(waiting.actions[0]).toEqual({ kind: 'enable_printer', text: 'Enable printer Laser.', printerId: printer.id })
  await api.post(`/v1/printjobs/${id}/cancel`, {})
  expect(await explain(api, id)).toMatchObject({
    code: 'cancelled-by',
    paper: 'none',
    cause: 'The job was cancelled by a request with an API key before computer Front desk received it.',
    queue: null,
  })
  expect((await explain(api, second.id)).queue).toEqual({ position: 1, length: 1, headJobId: second.id })
})

test('jobs behind a document that is being fetched wait for it, and a failed fetch has left no paper', async () => {
  proves('explanation.behind-other-jobs', 'explanation.state-reason')
  const { world, create, explain } = await connectPrinting()
  const { promise: held, resolve: answer } = Promise.withResolvers<void>()
  const server = createServer(async (_, response) => {
    await held
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  world.addHost('files.example.com', ['93.184.216.34'], (server.address() as AddressInfo).port)
  const fetched = await create({ contentType: 'pdf_uri', content: 'http://files.example.com/a.pdf' })
  const behind = await create()
  expect(await explain(fetched.id)).toMatchObject({ code: 'fetching-document', paper: 'not_yet' })
  expect(await explain(behind.id)).toMatchObject({
    code: 'behind-other-jobs',
    cause: 'Printer Laser has 1 earlier job before this one.',
    queue: { position: 2, length: 2, headJobId: fetched.id },
  })
  answer()
  const failed = await waitFor(async () => {
    const found = await explain(fetched.id)
    expect(found.code).toBe('fetch-failed')
    return found
  })
  expect(failed).toMatchObject({
    paper: 'none',
    cause: 'The document could not be fetched from its URL: The server answered with status 404.',
  })
  expect(kinds(failed)).toEqual(['check_url', 'send_again'])
})

test('an expired job says what it waited for, also when that has changed since', async () => {
  proves('explanation.expired-waiting')
  const { world, api, agent, computerId, create, explain } = await connectPrinting()
  agent.shutDown()
  await waitFor(async () => expect((await api.get(`/v1/computers/${computerId}`)).body.state).toBe('offline'))
  await waitFor(async () =>
    expect((await api.get(`/v1/events?type=computer.offline&resourceId=${computerId}`)).body.data).toHaveLength(1),
  )
  const { id } = await create({ expireAfter: 60 })
  world.advance(60_000)
  await world.sweep('jobs', 'expired')
  const expired = await explain(id)
  expect(expired).toMatchObject({
    code: 'expired-waiting',
    paper: 'none',
    headline: 'Not printed',
    cause: 'The job expired before it was printed. It waited for computer Packing-3, which was offline.',
  })
  expect(kinds(expired)).toEqual(['print_again', 'print_elsewhere'])
})

test('a job that waits at its printer says what the printer needs; done without an option, it names it', async () => {
  proves('explanation.done-options-ignored')
  const { agent, create, receive, becomes, explain } = await connectPrinting()
  const { id } = await create()
  await receive(id)
  agent.report(id, ReportedState.PRINTING, 'r1', { message: 'Tray 1 is empty.', reasons: ['media-empty'] })
  await becomes(id, 'printing')
  expect(await explain(id)).toMatchObject({
    code: 'printer-waits',
    paper: 'printing',
    cause: 'Printer Laser needs attention: Tray 1 is empty.',
    until: expect.any(String),
  })
  agent.report(id, ReportedState.DONE, 'r2', { warnings: ['The printer cannot print on both sides.'] })
  await becomes(id, 'done')
  expect(await explain(id)).toMatchObject({
    code: 'done-options-ignored',
    paper: 'printed',
    cause: expect.stringMatching(/The printer cannot print on both sides\.$/),
    until: null,
  })
})

test('an explanation contains what happened to printer and computer during the job', async () => {
  const { world, api, printer, create, explain } = await connectPrinting()
  world.advance(1_000)
  const { id } = await create()
  await api.patch(`/v1/printers/${printer.id}`, { remarks: 'Refilled' })
  await waitFor(async () =>
    expect((await explain(id)).around.map(({ type }: { type: string }) => type)).toEqual(['printer.updated']),
  )
})

test('the explanation, document and deliveries of a job that does not exist are a 404', async () => {
  proves('print-job.more.404')
  const { api } = await newPrinting()
  for (const part of ['explanation', 'document', 'deliveries'])
    expectError(await api.get(`/v1/printjobs/${UNKNOWN_ID}/${part}`), 404, 'not_found', /^There is no print job/)
})

test('who created and cancelled a job has a name: a key its own, a user the address, which keys do not get', async () => {
  proves('explanation.actors')
  const printing = await newPrinting()
  const { api, job } = printing
  const owner = await signInAs(printing, 'owner', 'live')
  const { id } = await api.createJob(job())
  await owner.post(`/v1/printjobs/${id}/cancel`, {})
  const createdBy = { kind: 'key', id: expect.any(String), name: expect.any(String) }
  const cancelledBy = { kind: 'user', id: expect.any(String) }
  expect(await explain(owner, id)).toMatchObject({
    createdBy,
    cancelledBy: { ...cancelledBy, name: expect.stringContaining('@') },
  })
  expect(await explain(api, id)).toMatchObject({ createdBy, cancelledBy: { ...cancelledBy, name: null } })
})
