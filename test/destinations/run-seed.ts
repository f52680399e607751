/**
 * One run: two shops at most, users, agents and timers in an order that the seed decides, calls between services that
 * fail; then all of it is healed, and the checker of `test/checker` judges the history. A seed repeats the choices, not
 * the order in which PostgreSQL serves statements that run at once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { RESENDS_MAX } from '@platen/resources/limits.ts'
import { type Random, seededRandom } from '../chaos/random.ts'
import { checkHistory, type Group, type Violation } from '../checker/check-history.ts'
import { collectHistory } from '../checker/collect.ts'
import type { History } from '../checker/history.ts'
import type { ServiceName, World } from '../harness/world.ts'
import { drawStep } from './actions.ts'
import { release } from './orders.ts'
import { openShop, type Shop } from './shop.ts'
import type { SimulatedAgent } from './simulated-agent.ts'
import type { UnreliableCalls } from './unreliable-calls.ts'

export const RESEND_AFTER_MS = 1_500

const GROUPS: Group[] = [
  ...(['acceptance', 'idempotency', 'batches', 'transitions', 'resends', 'spooler'] as const),
  ...(['destinations', 'waits', 'isolation', 'liveness'] as const),
]

/** The steps in which things fail, and those in which everything works at the most. */
const STEPS = 40
const HEALED_STEPS_MAX = 300
/** Every step takes some time. More than the checker tolerates between two clocks. */
const STEP_MS = { from: 25, to: 60 }
const LONG_STEP_PERCENT = 35
const LONG_STEP_MS = { from: 300, to: 1_700 }
/** Nobody does anything for so long that each job must have found its printer. */
const CALM_PERCENT = 7
const CALM_MS = { from: 4_000, to: 7_000 }
/** A longer step is divided, so that no timer is late by more than this. */
const TICK_MS = 500

/** The limit is by real time. A service that works for longer hangs. */
const SETTLE_MAX_MS = 30_000

/** The timers of the services, with their intervals. */
const TIMERS: [service: ServiceName, timer: string, everyMs: number][] = [
  ['jobs', 'expired', 250],
  ['jobs', 'unacknowledged', RESEND_AFTER_MS / 4],
  ['jobs', 'scheduled', 2_000],
  ['jobs', 'announce waiting', 2_000],
  ['jobs', 'deleted destinations', 2_000],
  ['jobs', 'taken by release 0.1.0', 10_000],
  ['devices', 'presence', 5_000],
  ['devices', 'offline', 1_000],
  ['devices', 'printer states', 1_000],
  ['devices', 'deleted', 1_000],
]
/** Devices repeat a failed claim, and an agent an unanswered message. */
const RETRY_MS = 1_000

export interface SeedResult {
  seed: number
  violations: Violation[]
  counts: Counts
  history: History
}

export type Counts = Record<
  | 'jobs'
  | 'destinationJobs'
  | 'batches'
  | 'claims'
  | 'edits'
  | 'switches'
  | 'disconnects'
  | 'refused'
  | 'lost'
  | 'late',
  number
>

export class Run {
  readonly world: World
  readonly calls: UnreliableCalls
  readonly random: Random
  readonly shops: Shop[]
  disconnects = 0
  private readonly dueAtMs = new Map<string, number>()

  constructor(world: World, calls: UnreliableCalls, random: Random, shops: Shop[]) {
    this.world = world
    this.calls = calls
    this.random = random
    this.shops = shops
  }

  now(): number {
    return this.world.clock.now().getTime()
  }

  /** Waits until nothing happens any more but what agents or late calls hold back. */
  async settle(): Promise<void> {
    const deadline = performance.now() + SETTLE_MAX_MS
    for (let quiet = 0; quiet < 2; ) {
      if (performance.now() > deadline) throw new Error('the services do not come to rest')
      const hasRead = this.shops.flatMap(({ computers }) => computers.map(({ agent }) => agent.read())).some(Boolean)
      await this.world.contexts.devices.nats.connection.flush()
      await sleep(1)
      quiet = hasRead || this.isBusy() ? 0 : quiet + 1
    }
  }

  private isBusy(): boolean {
    const { jobs, devices } = this.world.contexts
    const pools = [jobs.pool, devices.pool]
    const isQuerying = pools.some((pool) => pool.waitingCount > 0 || pool.totalCount > pool.idleCount)
    const agents = this.shops.flatMap(({ computers }) => computers.map(({ agent }) => agent))
    // Devices wait up to 250 ms by real time for the reason of an end, while the computer counts as connected.
    const isConnectionOpen = ({ owner }: SimulatedAgent) => devices.connections.get(owner.computerId) !== undefined
    const isChanging = (agent: SimulatedAgent) => agent.isConnecting || (!agent.isConnected && isConnectionOpen(agent))
    return isQuerying || this.calls.inProgress() > 0 || agents.some(isChanging)
  }

  /** Moves the clock, and runs the timers that are due, several at once and in any order. */
  async advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= TICK_MS) {
      this.world.advance(Math.min(left, TICK_MS))
      const now = this.now()
      const due = TIMERS.filter(([service, timer]) => (this.dueAtMs.get(`${service} ${timer}`) ?? 0) <= now)
      for (const [service, timer, everyMs] of due) this.dueAtMs.set(`${service} ${timer}`, now + everyMs)
      if ((this.dueAtMs.get('retry') ?? 0) <= now) {
        this.dueAtMs.set('retry', now + RETRY_MS)
        this.retry()
      }
      await Promise.all(this.random.shuffle(due).map(([service, timer]) => this.sweep(service, timer)))
      await this.settle()
      this.print(50)
    }
  }

  /** A timer repeats a sweep that fails. */
  async sweep(service: ServiceName, timer: string): Promise<void> {
    await this.world.sweep(service, timer).catch(() => undefined)
  }

  private retry(): void {
    for (const computerId of this.calls.takeFailedClaims())
      this.world.contexts.devices.connections.get(computerId)?.dispatch.wake()
    for (const { computers } of this.shops)
      for (const { agent } of computers) {
        agent.heartbeat()
        agent.repeat()
      }
  }

  print(percent: number): void {
    for (const { computers } of this.shops)
      for (const { agent, printers } of computers)
        for (const printer of printers) if (this.random.chance(percent)) agent.print(printer)
  }
}

export async function runSeed(world: World, calls: UnreliableCalls, seed: number): Promise<SeedResult> {
  const random = seededRandom(seed)
  const shops = await openShops(world, random)
  const run = new Run(world, calls, random, shops)
  const before = { ...calls.counts }
  calls.faults.length = 0
  calls.claims.length = 0
  // Every fourth seed loses no call, so that nothing excuses a wait.
  calls.fail(seed % 4 === 0 ? undefined : random.fork(), () => run.now())
  for (let step = 0; step < STEPS; step++) {
    const actions = drawStep(run, step)
    await Promise.all([...actions.map((act) => act()), calls.release(random.pick([0, 0, 1, 2]))])
    await run.settle()
    run.print(60)
    const dice = random.integer(1, 100)
    const isLong = dice <= LONG_STEP_PERCENT + CALM_PERCENT
    const { from, to } = dice <= CALM_PERCENT ? CALM_MS : isLong ? LONG_STEP_MS : STEP_MS
    await run.advance(random.integer(from, to))
  }
  calls.fail(undefined, () => run.now())
  await heal(run)
  const history = await readHistory(run)
  const { lost, refused, late } = calls.counts
  const { jobs, events } = history.database
  const ofDestinations = new Set(jobs.filter(({ destinationId }) => destinationId).map(({ id }) => id))
  return {
    seed,
    violations: checkHistory(history, GROUPS),
    history,
    counts: {
      jobs: jobs.length,
      destinationJobs: ofDestinations.size,
      batches: new Set(jobs.flatMap(({ batchId }) => batchId ?? [])).size,
      claims: events.filter(({ jobId, state }) => state === 'sent' && ofDestinations.has(jobId)).length,
      edits: history.destinationChanges?.length ?? 0,
      switches: history.printerSwitches?.length ?? 0,
      disconnects: run.disconnects,
      ...{ lost: lost - before.lost, refused: refused - before.refused, late: late - before.late },
    },
  }
}

async function openShops(world: World, random: Random): Promise<Shop[]> {
  const draw = () => ({ computers: random.integer(2, 3), printers: random.integer(3, 6) })
  const first = await openShop(world, 'live', draw())
  const shops = [first]
  const other = random.pick(['none', 'none', 'live', 'test'] as const)
  if (other === 'live') shops.push(await openShop(world, 'live', draw()))
  // An organization has one test computer.
  if (other === 'test') shops.push(await openShop(world, 'test', { computers: 1, printers: 2 }, first.organization))
  for (const shop of shops) {
    const ids = random.shuffle(shop.printers).map(({ id }) => id)
    await shop.createDestination('first', ids, random.integer(0, 3))
    await shop.createDestination('any', random.shuffle(ids), 1)
  }
  return shops
}

/** Everything works again, until each job has ended. */
async function heal(run: Run): Promise<void> {
  const { shops, calls, world } = run
  calls.release(Number.POSITIVE_INFINITY)
  for (const shop of shops) {
    const { tenant } = shop
    for (const computer of shop.computers) {
      const { agent, printers } = computer
      agent.isSlow = false
      await run.settle()
      await shop.switchPrinters(computer, printers, async () => {
        for (const printer of printers) {
          printer.breakage = undefined
          if (!printer.enabled) await world.devices.updatePrinter({ ...tenant, printerId: printer.id, enabled: true })
          printer.enabled = true
        }
        const { computerId } = agent.owner
        if (agent.isPaused) await world.devices.pauseComputer({ ...tenant, computerId, paused: false })
        agent.isPaused = false
        if (!agent.isConnected) agent.connect()
        await run.settle()
        await shop.report(computer)
      })
    }
    const printerIds = shop.printers.map(({ id }) => id)
    for (const one of shop.destinations) await shop.changeDestination(one, { enabled: true, printerIds })
    for (const { jobId, releasedAtMs } of shop.heldJobs) if (releasedAtMs === null) await release(shop, jobId)
  }
  for (const fault of calls.faults) if (fault.endedAtMs > run.now()) fault.endedAtMs = run.now()
  for (let step = 0; step < HEALED_STEPS_MAX; step++) {
    run.print(100)
    await run.settle()
    await run.advance(TICK_MS)
    for (const { agent } of shops.flatMap(({ computers }) => computers)) if (!agent.isConnected) agent.connect()
    if (step % 4 === 0 && (await countUnfinished(run)) === 0) return
  }
}

/** @returns how many jobs services and agents have not finished. */
async function countUnfinished({ world, shops }: Run): Promise<number> {
  const ids = shops.map(({ organization }) => organization.id)
  const sql = 'SELECT count(*)::int AS jobs FROM jobs.job WHERE organization_id = ANY($1) AND final_state IS NULL'
  const agents = shops.flatMap(({ computers }) => computers.map(({ agent }) => agent))
  const unsettled = agents.reduce((sum, { unsettledJobIds }) => sum + unsettledJobIds.length, 0)
  return unsettled + ((await world.query<{ jobs: number }>(sql, [ids]))[0]?.jobs ?? 0)
}

/** @returns the history of the shops of the run alone. */
async function readHistory(run: Run): Promise<History> {
  const { world, calls, shops } = run
  const computers = shops.flatMap((shop) =>
    shop.computers.map(({ agent }) => ({ agent, organizationId: shop.organization.id })),
  )
  const durations = { printingTimeoutMs: 15 * 60_000, agentLostMs: 24 * 60 * 60_000, webhookGapsMs: [] }
  const recorded = {
    settings: { resendAfterMs: RESEND_AFTER_MS, resendsMax: RESENDS_MAX, ...durations },
    calls: shops.flatMap((shop) => shop.calls),
    spoolerCalls: computers.flatMap(({ agent }) => agent.spoolerCalls),
    faults: [...calls.faults],
    agents: computers.map(({ agent, organizationId }) => {
      const { computerId } = agent.owner
      const { unsettledJobIds, welcomedAtMs } = agent
      return { name: computerId, computerId, organizationId, unsettledJobIds, welcomedAtMs }
    }),
    destinationChanges: shops.flatMap(({ destinationChanges }) => destinationChanges),
    printerSwitches: shops.flatMap(({ printerSwitches }) => printerSwitches),
    claims: [...calls.claims],
    heldJobs: shops.flatMap(({ heldJobs }) => heldJobs),
    isTimeInjected: true as const,
  }
  const history = await collectHistory({ database: world.pool, filesDirectory: '' }, recorded)
  const organizationIds = new Set(shops.map(({ organization }) => organization.id))
  const jobs = history.database.jobs.filter(({ organizationId }) => organizationIds.has(organizationId))
  const jobIds = new Set(jobs.map(({ id }) => id))
  const events = history.database.events.filter(({ jobId }) => jobIds.has(jobId))
  // Consumers read by themselves, which is no concern here.
  return { ...history, collectedAtMs: run.now(), database: { ...history.database, jobs, events, unread: [] } }
}
