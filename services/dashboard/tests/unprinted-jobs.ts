/**
 * Jobs that failed, wait or were printed otherwise than asked, each of another kind. They come about as in operation:
 * by agents that connect, report and vanish, servers that do not answer, keys and users that cancel.
 */
import { connectTestAgent, LASER } from '@platen/devices/tests/test-agent.ts'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { HOOK_HOST, newEndpoint } from '@platen/test/api/hooks.ts'
import { agentAddress, newJob } from '@platen/test/api/installation.ts'
import type { Api } from '@platen/test/harness/api.ts'
import { COMPUTER } from '@platen/test/harness/enroll-computer.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { BASE_URL, findTestPrinter, go, type Mode, type Visit } from './browser.ts'

/** A job, and what its page shows. */
export interface UnprintedJob {
  /** "computer-offline" */
  name: string
  id: string
  mode: Mode
  headline: string
  cause: RegExp
  /** The texts of the next steps. */
  nextSteps: string[]
}

const ENDPOINT_EVENTS = ['queued', 'sent', 'received', 'printing', 'done', 'error', 'cancelled', 'expired'].map(
  (state) => `printjob.${state}`,
)

const PRINT_AGAIN = 'Print again'
const ELSEWHERE = 'Print on another printer …'
const checkPrinter = (printer: string) => `→ Check printer ${printer}: power, paper, cover, messages on its display.`
const checkPaper = (printer: string) => `→ Check for the paper at printer ${printer} first.`

type Explained = Omit<UnprintedJob, 'name' | 'id' | 'mode'>
type Created = Explained & { id: string; mode?: Mode }

/** A live computer whose agent does what the caller says. */
async function connectComputer(api: Api, name: string, printerNames: string[]) {
  const { token } = (await api.post('/v1/enrollments', {})).body
  const enrolled = { ...COMPUTER, hostname: name }
  const { body } = await api.post('/v1/agents/enroll', enrolled, { authorization: `Bearer ${token}` })
  const agent = connectTestAgent(agentAddress, body.credential)
  agent.hello(printerNames.map((osName) => ({ ...LASER, osName, name: osName })))
  await agent.waitForMessages('welcome')
  const { data } = (await api.get(`/v1/computers/${body.computerId}/printers`)).body
  const becomes = (id: string, state: string) => waitFor(async () => expect((await api.getJob(id)).state).toBe(state))
  return {
    agent,
    becomes,
    async create(printerName: string, changes: object): Promise<string> {
      const printer = data.find(({ name }: { name: string }) => name === printerName)
      return (await api.createJob(newJob(printer.id, changes as never))).id
    },
    disable: (printerName: string) => {
      const printer = data.find(({ name }: { name: string }) => name === printerName)
      return api.patch(`/v1/printers/${printer.id}`, { enabled: false })
    },
    /** The agent acknowledges the job. */
    async receive(id: string) {
      await waitFor(() => expect(agent.prints()).toContain(id))
      agent.received(id)
      await becomes(id, 'received')
    },
    /** The agent disappears, as on a computer that loses its power. */
    async vanish() {
      agent.drop()
      await waitFor(async () => expect((await api.get(`/v1/computers/${body.computerId}`)).body.state).toBe('offline'))
    },
  }
}
type Computer = Awaited<ReturnType<typeof connectComputer>>

/**
 * Jobs of the organization of the visit, which also has a webhook endpoint of test mode. The page of the visit cancels
 * one of the jobs.
 */
export async function createUnprintedJobs(visit: Pick<Visit, 'page' | 'organization'>): Promise<UnprintedJob[]> {
  const { api, testApi } = visit.organization
  await newEndpoint(testApi, ENDPOINT_EVENTS)
  const [packing, desk, warehouse] = await Promise.all([
    connectComputer(api, 'Packing-3', ['Label 1', 'Label 2', 'Label 3']),
    connectComputer(api, 'Front desk', ['Laser', 'Office', 'Kitchen', 'Colour', 'Receipt', 'Invoices', 'Parcels']),
    connectComputer(api, 'Warehouse', ['Pallets']),
  ])
  const unacknowledged = createUnacknowledged(desk)
  await packing.vanish()
  const groups = await Promise.all([
    createOffline(packing),
    createCancelled(packing, visit),
    createAtPrinters(desk),
    createDeadUrl(desk),
    createBehind(desk),
    createEnded(desk),
    createKilled(warehouse),
    createTest(testApi),
  ])
  // The first, because its job is queued again after some sendings.
  return [await unacknowledged, ...groups]
    .flatMap((group) => Object.entries(group as Record<string, Created>))
    .map(([name, job]) => ({ name, mode: 'live', ...job }))
}

async function createOffline({ create, disable }: Computer) {
  const [offline, disabled] = await Promise.all([
    create('Label 2', { title: 'Order 10482, label' }),
    create('Label 1', { title: 'Order 10483, label' }),
  ])
  await disable('Label 1')
  return {
    'computer-offline': {
      id: offline,
      headline: 'Not printed yet',
      cause: /^Computer Packing-3 has been offline for [\d a-z]+\. The job expires at (\d+ \w+, )?\d\d:\d\d\.$/,
      nextSteps: [
        '→ Switch computer Packing-3 on and check its network.',
        '→ Run platen-agent doctor on computer Packing-3.',
        ELSEWHERE,
      ],
    },
    'printer-disabled': {
      id: disabled,
      headline: 'Not printed yet',
      cause: /^Printer Label 1 is disabled\. The job expires at (\d+ \w+, )?\d\d:\d\d\.$/,
      nextSteps: ['Enable printer Label 1', ELSEWHERE],
    },
  }
}

async function createCancelled({ create }: Computer, { page, organization }: Pick<Visit, 'page' | 'organization'>) {
  const [byKey, byUser] = await Promise.all([
    create('Label 3', { title: 'Order 10470, label' }),
    create('Label 3', { title: 'Order 10471, label' }),
  ])
  await organization.api.post(`/v1/printjobs/${byKey}/cancel`, {})
  await page.goto(`${BASE_URL}/app/live/jobs/${byUser}`)
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).click()
  await page.locator('section[data-code="cancelled-by"]').waitFor()
  const cancelled = { headline: 'Not printed', nextSteps: [PRINT_AGAIN] }
  const before = 'before computer Packing-3 received it\\.$'
  return {
    'cancelled-by-key': {
      ...cancelled,
      id: byKey,
      cause: new RegExp(`^The job was cancelled by a request with an API key ${before}`),
    },
    'cancelled-by-user': {
      ...cancelled,
      id: byUser,
      cause: new RegExp(`^The job was cancelled by a user of the dashboard ${before}`),
    },
  }
}

/** At printers that stopped, and that have no paper. */
async function createAtPrinters({ agent, create, receive, becomes }: Computer) {
  const [stopped, empty] = await Promise.all([
    create('Office', { title: 'Contract Miller' }),
    create('Laser', { title: 'Invoice 2026-118' }),
  ])
  await Promise.all([receive(stopped), receive(empty)])
  agent.report(stopped, ReportedState.PRINTING, 'stopped', {
    reasons: ['printer-stopped'],
    message: 'The print queue is stopped.',
  })
  agent.report(empty, ReportedState.PRINTING, 'empty', { reasons: ['media-empty'], message: 'Tray 2 is empty.' })
  await Promise.all([becomes(stopped, 'printing'), becomes(empty, 'printing')])
  return {
    'queue-stopped': {
      id: stopped,
      headline: 'Printing, but the printer waits',
      cause:
        /^Printer Office is stopped, switched off or cannot be reached from computer Front desk\. The job ends at .*\.$/,
      nextSteps: [checkPrinter('Office'), ELSEWHERE],
    },
    'out-of-paper': {
      id: empty,
      headline: 'Printing, but the printer waits',
      cause: /^Printer Laser needs attention: Tray 2 is empty\.$/,
      nextSteps: [checkPrinter('Laser')],
    },
  }
}

/** Nothing listens at this port. */
async function createDeadUrl({ create, becomes }: Computer) {
  const id = await create('Receipt', {
    title: 'Receipt 5518',
    contentType: 'pdf_uri',
    content: `http://${HOOK_HOST}/receipt.pdf`,
  })
  await becomes(id, 'error')
  return {
    'dead-url': {
      id,
      headline: 'Not printed',
      cause: /^The document could not be fetched from its URL: /,
      nextSteps: ['→ Check the URL and its server.', '→ Send the document again in a new job.'],
    },
  }
}

async function createBehind({ agent, create, receive, becomes }: Computer) {
  const first = await create('Kitchen', { title: 'Table 11, order' })
  await receive(first)
  agent.report(first, ReportedState.PRINTING, 'first')
  await becomes(first, 'printing')
  const id = await create('Kitchen', { title: 'Table 12, order' })
  await receive(id)
  return {
    'behind-other-jobs': {
      id,
      headline: 'Not printed yet',
      cause: /^Computer Front desk has the job\. Printer Kitchen has 1 earlier job\.$/,
      nextSteps: ['Open the job at the head of the queue', '→ Wait.'],
    },
  }
}

/** Refused by the agent, and printed without an option. */
async function createEnded({ agent, create, receive, becomes }: Computer) {
  const [refused, dropped] = await Promise.all([
    create('Parcels', { title: 'Parcel 7731, label' }),
    create('Colour', { title: 'Flyer, 2 sides', options: { duplex: 'long-edge' } }),
  ])
  await Promise.all([receive(refused), receive(dropped)])
  agent.report(refused, ReportedState.ERROR, 'refused', {
    reasons: ['document-format-not-supported'],
    message: 'This printer has no driver and accepts only raw documents in its own language. Nothing was printed.',
  })
  agent.report(dropped, ReportedState.PRINTING, 'printing')
  await becomes(dropped, 'printing')
  agent.report(dropped, ReportedState.DONE, 'done')
  await Promise.all([becomes(refused, 'error'), becomes(dropped, 'done')])
  return {
    'format-not-supported': {
      id: refused,
      headline: 'Not printed',
      cause: /^Printer Parcels on computer Front desk does not accept this kind of document\.$/,
      nextSteps: ['Set the language of the printer', '→ Check the document, and send it in a new job.', ELSEWHERE],
    },
    'option-dropped': {
      id: dropped,
      headline: 'Printed, but 1 option was ignored',
      cause: /^Printer Colour printed the job without the option duplex\.$/,
      nextSteps: ['→ If there is no paper, check the output trays of printer Colour.'],
    },
  }
}

async function createKilled({ create, receive, vanish }: Computer) {
  const id = await create('Pallets', { title: 'Pallet list 31' })
  await receive(id)
  await vanish()
  return {
    'agent-killed': {
      id,
      headline: 'Check for the paper first',
      cause: /^Computer Warehouse went offline after it had received the job\. Its report follows when it is back\.$/,
      nextSteps: [
        checkPaper('Pallets'),
        '→ Switch computer Warehouse on and check its network.',
        '→ Run platen-agent doctor on computer Warehouse.',
      ],
    },
  }
}

/** The agent is online and silent. */
async function createUnacknowledged({ create, agent }: Computer) {
  const id = await create('Invoices', { title: 'Invoice 2026-119' })
  await waitFor(() => expect(agent.prints().filter((sent) => sent === id).length).toBeGreaterThan(1))
  return {
    'not-acknowledged': {
      id,
      headline: 'Not printed yet',
      cause:
        /^The agent on computer Front desk has not acknowledged the job, which was sent \d times\. The job expires at .*\.$/,
      nextSteps: [
        '→ Check the version and the log of the agent on computer Front desk.',
        '→ Run platen-agent doctor on computer Front desk.',
        ELSEWHERE,
      ],
    },
  }
}

async function createTest(api: Api) {
  const printerId = await findTestPrinter(api)
  const { id } = await api.createJob(newJob(printerId, { title: 'Delivery note 88 [fail]' }))
  await api.waitUntilFinal(id)
  return {
    'test-mode-fail': {
      id,
      mode: 'test' as const,
      headline: 'Printed or not: unknown',
      cause: /^The print queue on computer .* aborted the job: .* Test mode has no paper; /,
      nextSteps: [PRINT_AGAIN],
    },
  }
}

/** Created when the run began, because no job expires earlier than after 60 s. */
export const getExpiredJob = (): UnprintedJob => ({
  name: 'expired',
  id: inject('expiring').jobId,
  mode: 'live',
  headline: 'Not printed',
  cause: /^The job expired before it was printed\. It waited for computer Night-desk, which was offline\.$/,
  nextSteps: [PRINT_AGAIN, ELSEWHERE],
})

/** Waits for a job that expires while its page is open. */
export async function expectExplained(page: Page, { name, id, mode, headline, cause, nextSteps }: UnprintedJob) {
  await go(page, `/${mode}/jobs/${id}`)
  const summary = page.getByRole('region', { name: 'Explanation' })
  const timeout = name === 'expired' ? 70_000 : 10_000
  await summary.getByRole('paragraph').filter({ hasText: cause }).waitFor({ timeout })
  const steps = summary.getByRole('list', { name: 'Next steps' }).getByRole('listitem')
  const shown = { headline: await summary.getByRole('heading').textContent(), nextSteps: await steps.allInnerTexts() }
  expect({ name, ...shown }).toEqual({ name, headline, nextSteps })
}
