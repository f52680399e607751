/** An organization whose computers, printers and destinations a run uses, and the record of what it does to them. */
import { create } from '@bufbuild/protobuf'
import { storePrinterReport } from '@platen/devices/agents/store-printer-report.ts'
import { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Random } from '../chaos/random.ts'
import type { ClientCall, DestinationChange, HeldJob, PrinterSwitch } from '../checker/history.ts'
import { type Api, createApi } from '../harness/api.ts'
import { type Mode, newOrganization, type Organization } from '../harness/organization.ts'
import type { World } from '../harness/world.ts'
import { SimulatedAgent, type SimulatedPrinter, toReport } from './simulated-agent.ts'

export const POLICIES = ['first', 'any'] as const

/** A computer that is disconnected is offline after this time. */
export const OFFLINE_GRACE_MS = 2_000
/** The time from the end of the grace period until it shows: an interval of the sweep, and a step of the clock. */
const OFFLINE_AFTER_MS = OFFLINE_GRACE_MS + 1_500

export interface Destination {
  id: string
  policy: (typeof POLICIES)[number]
  /** Seconds. */
  standbyAfter: number
  printerIds: string[]
  enabled: boolean
  deleted: boolean
}

export interface Recorded {
  calls: ClientCall[]
  destinationChanges: DestinationChange[]
  printerSwitches: PrinterSwitch[]
  heldJobs: HeldJob[]
}

export interface Computer {
  agent: SimulatedAgent
  printers: SimulatedPrinter[]
}

export class Shop implements Recorded {
  readonly world: World
  readonly organization: Organization
  readonly mode: Mode
  readonly api: Api
  readonly computers: Computer[]
  readonly destinations: Destination[] = []
  readonly calls: ClientCall[] = []
  readonly destinationChanges: DestinationChange[] = []
  readonly printerSwitches: PrinterSwitch[] = []
  readonly heldJobs: HeldJob[] = []
  /** The created jobs, in any order. */
  readonly jobs: { id: string; batchId: string | null }[] = []

  private named = 0

  constructor(organization: Organization, mode: Mode, computers: Computer[]) {
    this.organization = organization
    this.world = organization.world
    this.mode = mode
    this.computers = computers
    const key = mode === 'live' ? organization.liveKey : organization.testKey
    this.api = createApi(this.world.gatewayUrl, key, { documented: false })
  }

  get tenant() {
    return { organizationId: this.organization.id, mode: this.mode }
  }

  get printers(): SimulatedPrinter[] {
    return this.computers.flatMap(({ printers }) => printers)
  }

  now(): number {
    return this.world.clock.now().getTime()
  }

  /** Changes printers of a computer. @param change ends when the service knows it. */
  async switchPrinters(
    { agent }: Computer,
    changed: SimulatedPrinter[],
    change: () => Promise<unknown> | undefined,
  ): Promise<void> {
    const isTaking = (printer: SimulatedPrinter) =>
      agent.isConnected && !agent.isPaused && printer.enabled && printer.breakage === undefined
    const startedAtMs = this.now()
    const before = changed.map(isTaking)
    await change()
    for (const [n, printer] of changed.entries()) {
      const enabled = isTaking(printer)
      // While it is off, each cause counts by itself.
      if (enabled && before[n]) continue
      const isOffline = !agent.isConnected
      const answeredAtMs = this.now() + (isOffline ? OFFLINE_AFTER_MS : 0)
      this.printerSwitches.push({ printerId: printer.id, enabled, startedAtMs, answeredAtMs })
    }
  }

  /**
   * Stores what a report of the stream stores, which pauses by real time between two.
   *
   * @returns whether it is stored.
   */
  async report({ agent, printers }: Computer): Promise<boolean> {
    const { devices } = this.world.contexts
    const { computerId } = agent.owner
    const connection = devices.connections.get(computerId)
    const reports = printers.map((printer) => create(ReportedPrinterSchema, toReport(printer)))
    return connection !== undefined && (await storePrinterReport(devices, computerId, connection.epoch, reports))
  }

  async createDestination(policy: Destination['policy'], printerIds: string[], standbyAfter: number): Promise<void> {
    const facts = { name: `destination ${++this.named}`, printerIds, policy, standbyAfter, enabled: true }
    const startedAtMs = this.now()
    const { destination } = await this.world.devices.createDestination({ ...this.tenant, ...facts })
    const made = { id: destination?.id ?? '', policy, standbyAfter, printerIds, enabled: true, deleted: false }
    this.destinations.push(made)
    this.record(made, startedAtMs)
  }

  /** Repeats the call until it is answered, as a user does. */
  async changeDestination(destination: Destination, changes: Partial<Destination>): Promise<void> {
    if (destination.deleted) return
    const startedAtMs = this.now()
    Object.assign(destination, changes)
    const { id: destinationId, policy, standbyAfter, enabled, printerIds } = destination
    const ids = { ...this.tenant, destinationId }
    const all = { ...ids, policy, standbyAfter, enabled, printers: { ids: printerIds } }
    await repeat(() => this.world.devices.updateDestination(all))
    this.record(destination, startedAtMs)
  }

  async deleteDestination(destination: Destination): Promise<void> {
    const startedAtMs = this.now()
    destination.deleted = true
    await this.world.devices.deleteDestination({ ...this.tenant, destinationId: destination.id })
    this.record(destination, startedAtMs)
  }

  /** The service refuses printers of others. If it does not, the checker finds the jobs there. */
  async tryForeignPrinter(destination: Destination, printerId: string): Promise<void> {
    const ids = { ...this.tenant, destinationId: destination.id }
    const printers = { ids: [printerId, ...destination.printerIds] }
    await this.world.devices.updateDestination({ ...ids, printers }).catch(() => undefined)
  }

  private record({ id, policy, printerIds, enabled, deleted, standbyAfter }: Destination, startedAtMs: number): void {
    this.destinationChanges.push({
      destinationId: id,
      policy,
      printerIds: enabled && !deleted ? [...printerIds] : [],
      standbyAfterMs: standbyAfter * 1000,
      startedAtMs,
      answeredAtMs: this.now(),
    })
  }
}

const TRIES_MAX = 20

/** @throws what the last call throws. */
export async function repeat<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      if (tries === TRIES_MAX) throw error
    }
  }
}

interface Size {
  computers: number
  printers: number
}

/** @param organization that has a shop of the other mode. Default: a new one. */
export async function openShop(
  world: World,
  mode: Mode,
  { computers: count, printers: all }: Size,
  organization?: Organization,
): Promise<Shop> {
  const owner = organization ?? (await newOrganization(world))
  const tenant = { organizationId: owner.id, mode }
  const computers: Computer[] = []
  for (let n = 0; n < count; n++) {
    const { computerId, credential } = await owner.enroll(mode, `computer ${n}`)
    const printers = Array.from({ length: all }, (_, nth) => nth)
      .filter((nth) => nth % count === n)
      .map((nth): SimulatedPrinter => ({ id: '', osName: `printer ${nth}`, enabled: true }))
    const now = () => world.clock.now().getTime()
    const agent = new SimulatedAgent({ address: world.agentAddress, credential, computerId, printers, now })
    computers.push({ agent, printers })
    agent.connect()
  }
  const shop = new Shop(owner, mode, computers)
  for (const { agent, printers } of computers) {
    while (!agent.isConnected) {
      agent.read()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { computerId } = agent.owner
    const listed = await world.devices.listPrinters({ ...tenant, computerId, page: { limit: 100 } })
    for (const printer of printers)
      printer.id = listed.printers.find(({ osName }) => osName === printer.osName)?.id ?? ''
  }
  return shop
}

/** Some printers of the shop in any order. */
export const drawPrinters = (random: Random, { printers }: Shop): string[] =>
  random
    .shuffle(printers)
    .slice(0, random.integer(1, printers.length))
    .map(({ id }) => id)
