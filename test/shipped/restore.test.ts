/** PostgreSQL is restored to an earlier state while the services run. The agent's journal contains the later events. */
import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSpoolerCalls, startAgent } from '../chaos/agents.ts'
import { type Api, createApi } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import type { Restartable } from '../harness/restartable.ts'
import { proves } from '../harness/rules.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { useTransactionNumbers } from '../recovery/postgres-backup.ts'

const PRINTED = ['queued', 'sent', 'received', 'printing', 'done']

let system: System
let agent: Restartable

beforeAll(async () => {
  system = await startSystem({ together: true, env: { PLATEN_HEARTBEAT_SECONDS: '1' } })
})

afterAll(async () => {
  await agent?.stop()
  await system?.stop()
})

/** Keeps owner and mode of each file, which PostgreSQL requires. */
const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to])

async function create(api: Api, printerId: string): Promise<string> {
  const content = makePdf('Hello').toString('base64')
  return (await api.createJob({ printerId, title: 'Hello', contentType: 'pdf_base64', content })).id
}

/** Retried until the services have reconnected to the database. */
const enable = (api: Api, id: string) =>
  waitFor(async () => expect((await api.patch(`/v1/printers/${id}`, { enabled: true })).status).toBe(200))

/** Waits until the feed has exactly these events of the job, oldest first, and the month this many prints. */
const waitForFeedAndUsage = (api: Api, jobId: string, states: string[], used: number) =>
  waitFor(async () => {
    const { body } = await api.get('/v1/events?dir=asc&limit=100')
    const shown = body.data.filter(({ data }: { data: { id: string } }) => data.id === jobId)
    expect(shown.map(({ type }: { type: string }) => type)).toEqual(states.map((state) => `printjob.${state}`))
    expect((await api.get('/v1/usage')).body).toMatchObject({ prints: { used } })
  })

test('a job that was printed after the moment to which PostgreSQL is restored is done without a second print; feed and usage continue, also for a follower that saw the lost events', async () => {
  proves('once.restored')
  const { organizationId, computerId, credential } = await system.addOrganization({ mode: 'live' })
  const api = createApi(system.baseUrl, await system.addKey(organizationId, 'live', ['read', 'print', 'admin']))
  const logFile = join(system.directory, 'logs/agent.log')
  const files = { name: 'agent', organizationId, computerId, directory: join(system.directory, 'agent'), logFile }
  agent = await startAgent({
    ...files,
    config: { agentUrl: `http://${system.agentAddress}`, credential, spooler: 'virtual' },
    env: { PLATEN_VIRTUAL_PRINT_MS: '60' },
    onEnd: (how) => system.unexpectedEnds.push(`agent: ${how}`),
  })
  const { id: printerId } = await api.printer('Test A4 Laser')
  const postgres = system.processes.find(({ name }) => name === 'postgres') as Restartable
  const data = join(system.directory, 'postgres')
  let jobId = ''
  // While the agent is disconnected, so that the backup does not contain its later stream either.
  await agent.restart(async () => {
    await waitFor(async () => expect((await api.get(`/v1/computers/${computerId}`)).body.state).toBe('offline'))
    jobId = await create(api, printerId)
    expect((await api.patch(`/v1/printers/${printerId}`, { enabled: false })).status).toBe(200)
    await waitForFeedAndUsage(api, jobId, ['queued'], 1)
    await postgres.restart(async () => copy(data, `${data}-backup`))
  })
  await useTransactionNumbers(system.databaseUrl)
  await enable(api, printerId)
  await waitForFeedAndUsage(api, jobId, PRINTED, 1)
  const { body: lost } = await api.get('/v1/events?dir=asc&limit=100')
  const calls = await readSpoolerCalls(files)
  expect(calls.map(({ call, token }) => `${call} ${token}`)).toEqual([`submit ${jobId}`, `release ${jobId}`])

  await postgres.restart(async () => {
    await rm(data, { recursive: true })
    copy(`${data}-backup`, data)
  })
  expect(await waitFor(() => api.eventStates(jobId))).toEqual(['queued'])
  await enable(api, printerId)
  await waitForFeedAndUsage(api, jobId, PRINTED, 1)
  const laterId = await create(api, printerId)
  await waitForFeedAndUsage(api, laterId, PRINTED, 2)
  expect((await readSpoolerCalls(files)).filter(({ token }) => token !== laterId)).toEqual(calls)
  const { body: found } = await api.get(`/v1/events?dir=asc&limit=100&after=${lost.nextCursor}`)
  const later = found.data.filter(({ data }: { data: { id: string } }) => data.id === laterId)
  expect(later.map(({ type }: { type: string }) => type)).toEqual(PRINTED.map((state) => `printjob.${state}`))
  expect(system.unexpectedEnds).toEqual([])
})
