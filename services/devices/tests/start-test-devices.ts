import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { type Printer, PrinterSchema } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { JobCreationSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { ComputerJson } from '@platen/resources/computer-schema.ts'
import { EVENT_SCHEMAS, type EventJson } from '@platen/resources/event-schema.ts'
import type { PrinterJson } from '@platen/resources/printer-schema.ts'
import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { type Mode, newOrganization } from '@platen/test/harness/organization.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { getWorld, type World } from '@platen/test/harness/world.ts'
import type { QueryResultRow } from 'pg'
import { expect, onTestFinished } from 'vitest'
import { storePrinterReport } from '../agents/store-printer-report.ts'
import { connectTestAgent, LASER, type TestAgent, type TestPrinter } from './test-agent.ts'

/** An event of a computer or a printer. */
type TestEvent = EventJson & { data: Partial<ComputerJson & PrinterJson> }

export type TestDevices = Awaited<ReturnType<typeof startTestDevices>>

export interface ConnectOptions {
  /** The credential of an enrolled computer; without it a new one is enrolled. */
  credential?: string
  printers?: TestPrinter[]
  heldJobIds?: string[]
  /** The commands that the agent knows. */
  commands?: string[]
  /** The address of the replica. */
  address?: string
}

/** Computers, printers and jobs of a new organization, in the worker's world unless a test has one of its own. */
export async function startTestDevices({ mode = 'live', world: own }: { mode?: Mode; world?: World } = {}) {
  const world = own ?? (await getWorld())
  const organization = await newOrganization(world)
  const { devices, jobs } = world
  const organizationId = organization.id
  const tenant = { organizationId, mode }

  /** `$1` is the organization. */
  const query = <Row extends QueryResultRow>(sql: string, ...values: unknown[]) =>
    world.query<Row>(sql, [organizationId, ...values])
  /** Runs a statement in a transaction, `$1` is the organization. @returns the call that commits it. */
  const hold = (sql: string, ...values: unknown[]) =>
    holdTransaction(world.pool, (client) => client.query(sql, [organizationId, ...values]))
  /** The oldest first, from pages that begin with the newest: others wait for open transactions of the whole server. */
  async function printers(computerId?: string): Promise<Printer[]> {
    const page = { limit: 100 }
    return (await devices.listPrinters({ ...tenant, page, computerId })).printers.toReversed()
  }
  const computer = async () => (await devices.listComputers({ ...tenant, page: { limit: 1 } })).computers[0]
  const enroll = (name?: string) => organization.enroll(mode, name)
  const createJob = (
    printer: { id: string; computerId: string },
    facts: MessageInitShape<typeof JobCreationSchema> = {},
    content?: string,
  ) => organization.createJob(printer, { mode, ...facts }, content)
  const job = async (jobId: string) => (await jobs.getJob({ ...tenant, jobId })).job

  async function connect({
    credential,
    printers: reported = [LASER],
    heldJobIds,
    commands = [],
    address,
  }: ConnectOptions = {}) {
    const ownCredential = credential ?? (await enroll()).credential
    const agent = connectTestAgent(address ?? world.agentAddress, ownCredential)
    agent.knows(...commands)
    agent.hello(reported, heldJobIds)
    const [welcome] = await agent.waitForMessages('welcome')
    const computerId = welcome?.computerId ?? ''
    // Without printers none of the tests uses it.
    const [printer = create(PrinterSchema)] = await printers(computerId)
    return {
      agent,
      credential: ownCredential,
      computerId,
      computerIds: { ...tenant, computerId },
      printer,
      printerIds: { ...tenant, printerId: printer.id },
      createJob: (...facts: Tail<Parameters<typeof createJob>>) => createJob(printer, ...facts),
      /**
       * Stores a report as that of the newest stream; the stream itself pauses between two.
       *
       * @returns whether it was stored.
       */
      async report(...newest: TestPrinter[]): Promise<boolean> {
        const [row] = await world.query<{ epoch: string }>('SELECT epoch FROM devices.computer WHERE id = $1', [
          computerId,
        ])
        const reports = newest.map((one) => create(ReportedPrinterSchema, one))
        return await storePrinterReport(world.contexts.devices, computerId, BigInt(row?.epoch ?? 0), reports)
      },
    }
  }

  return {
    world,
    organization,
    organizationId,
    tenant,
    devices,
    jobs,
    query,
    printers,
    computer,
    enroll,
    connect,
    createJob,
    job,
    advance: (seconds: number) => world.advance(seconds * 1000),
    sweep: (timer: string) => world.sweep('devices', timer),
    getState: async (jobId: string) => (await job(jobId))?.state,
    becomes: (jobId: string, facts: object) => waitFor(async () => expect(await job(jobId)).toMatchObject(facts)),
    async eventStates(jobId: string) {
      const { events } = await jobs.listJobEvents({ ...tenant, jobId })
      return events.map(({ state, message }) => (message?.startsWith('resend') ? message : state))
    },
    computerBecomes: (facts: object) => waitFor(async () => expect(await computer()).toMatchObject(facts)),
    /**
     * Waits until the first claim of a stream has ended. It can take jobs that are created after their printer is held.
     */
    hasClaimed: (computerId: string) =>
      waitFor(() => expect(world.contexts.devices.connections.get(computerId)?.dispatch.waitingMs).toBe(0)),
    /** Waits until the drops of all streams are recorded. */
    isDisconnected: () =>
      waitFor(async () =>
        expect(
          await query('SELECT FROM devices.computer WHERE organization_id = $1 AND disconnected_at IS NULL'),
        ).toEqual([]),
      ),
    /** All events of computers and printers since the beginning, in the order in which consumers read them. */
    async events(prefix = '') {
      const rows = await query<{ id: string; mode: string; type: string; occurred_at: Date; body: string }>(
        'SELECT * FROM devices.event_log WHERE organization_id = $1 ORDER BY commit_seq, number',
      )
      const events = rows.map(({ id, mode, type, occurred_at, body }) => {
        const event = JSON.parse(body) as TestEvent
        expect(event).toMatchObject({ id, mode, type, timestamp: occurred_at.toISOString() })
        expect(EVENT_SCHEMAS.get(event.type)?.parse(event)).toEqual(event)
        return event
      })
      return events.filter(({ type }) => type.startsWith(prefix))
    },
    /** Makes every insert of an event of this organization fail. @returns the call that ends it. */
    async failEvents(): Promise<() => Promise<unknown>> {
      const alter = (change: string) => world.query(`ALTER TABLE devices.event_log ${change}`)
      await alter(`ADD CONSTRAINT failing CHECK (organization_id <> '${organizationId}') NOT VALID`)
      const end = () => alter('DROP CONSTRAINT IF EXISTS failing')
      onTestFinished(async () => void (await end()))
      return end
    },
    hold,
    /** Holds a lock on the organization's printers. @returns the call that releases it. */
    lockPrinters: () => hold('SELECT FROM devices.printer WHERE organization_id = $1 FOR UPDATE'),
    waitsForLock: (count: number) => untilBlocked(world.pool, count),
  }
}

type Tail<All extends unknown[]> = All extends [unknown, ...infer Others] ? Others : never

/** Waits until the job is with the agent, which then acknowledges it. */
export async function receive(agent: TestAgent, jobId: string): Promise<void> {
  await waitFor(() => expect(agent.prints()).toContain(jobId))
  agent.received(jobId)
  await waitFor(async () =>
    expect((await agent.waitForMessages('granted')).map((granted) => granted.jobId)).toContain(jobId),
  )
}
