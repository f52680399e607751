/** What users, printers and agents do in one step, some of it at once. */
import type { Random } from '../chaos/random.ts'
import { cancel, drawOrder, release } from './orders.ts'
import type { Run } from './run-seed.ts'
import { type Computer, drawPrinters, POLICIES, type Shop } from './shop.ts'
import type { Breakage, SimulatedPrinter } from './simulated-agent.ts'

const ACTIONS_MAX = 4
const REPAIR_PERCENT = 75
const BREAKAGES: Breakage[] = ['media-empty', 'paused', 'offline']
/** A token bucket limits the hellos of a computer by real time. */
const DISCONNECTS_MAX = 6

type Action = () => Promise<unknown>

/**
 * @param taken computers and destinations that another action of the step changes.
 * @returns undefined if there is nothing to do.
 */
type Draw = (run: Run, shop: Shop, name: string, taken: Set<unknown>) => Action | undefined

/** The actions with their weights. */
const DRAWS: [weight: number, draw: Draw][] = [
  [30, ({ random }, shop, name) => drawOrder(random, shop, name, false)],
  [8, ({ random }, shop, name) => drawOrder(random, shop, name, true)],
  [5, drawRelease],
  [4, drawCancel],
  [2, drawCancelBatch],
  [12, drawBreakage],
  [6, drawSwitch],
  [3, drawPause],
  [10, drawEdit],
  [5, drawForeignPrinter],
  [1, drawDeletion],
  [2, drawDestination],
  [6, drawConnection],
  [5, drawSlowness],
  [6, drawSweeps],
]
const WEIGHTED = DRAWS.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw))

/** All choices are drawn before the first call. */
export function drawStep(run: Run, step: number): Action[] {
  const { random, shops } = run
  const taken = new Set<unknown>()
  return Array.from({ length: random.integer(1, ACTIONS_MAX) }, (_, n) => {
    const draw = random.pick(WEIGHTED)
    return draw(run, random.pick(shops), `job ${step}.${n}`, taken)
  }).filter((action) => action !== undefined)
}

function take<T>(random: Random, all: T[], taken: Set<unknown>): T | undefined {
  const free = all.filter((one) => !taken.has(one))
  if (free.length === 0) return undefined
  const one = random.pick(free)
  taken.add(one)
  return one
}

/**
 * One that does not work, if there is one, more often than one that works: otherwise nothing works most of the time.
 */
function takeBroken<T>(random: Random, all: T[], taken: Set<unknown>, isBroken: (one: T) => boolean): T | undefined {
  const broken = all.filter(isBroken)
  return (random.chance(REPAIR_PERCENT) && take(random, broken, taken)) || take(random, all, taken)
}

function pickBroken<T>(random: Random, all: T[], isBroken: (one: T) => boolean): T {
  const broken = all.filter(isBroken)
  return random.pick(broken.length > 0 && random.chance(REPAIR_PERCENT) ? broken : all)
}

function drawRelease({ random }: Run, shop: Shop): Action | undefined {
  const held = shop.heldJobs.filter(({ releasedAtMs }) => releasedAtMs === null)
  if (held.length === 0) return undefined
  const { jobId } = random.pick(held)
  return () => release(shop, jobId)
}

function drawCancel({ random }: Run, shop: Shop): Action | undefined {
  if (shop.jobs.length === 0) return undefined
  const { id } = random.pick(shop.jobs.slice(-12))
  return () => cancel(shop, `/v1/printjobs/${id}`)
}

function drawCancelBatch({ random }: Run, shop: Shop): Action | undefined {
  const batches = shop.jobs.flatMap(({ batchId }) => batchId ?? [])
  if (batches.length === 0) return undefined
  const id = random.pick(batches.slice(-8))
  return () => cancel(shop, `/v1/printjobs/batches/${id}`)
}

/** Breaks or repairs a printer. That of a computer without a connection is reported by the next hello. */
function drawBreakage(run: Run, shop: Shop, _: string, taken: Set<unknown>): Action | undefined {
  const { random } = run
  const isBroken = ({ breakage }: SimulatedPrinter) => breakage !== undefined
  const computer = takeBroken(random, shop.computers, taken, ({ printers }) => printers.some(isBroken))
  if (!computer) return undefined
  const printer = pickBroken(random, computer.printers, isBroken)
  const breakage = printer.breakage ? undefined : random.pick(BREAKAGES)
  return () =>
    shop.switchPrinters(computer, [printer], async () => {
      printer.breakage = breakage
      if (!computer.agent.isConnected) return
      // A stream that cannot store it connects again.
      if (!(await shop.report(computer))) disconnect(run, computer, 'drop')
    })
}

function drawSwitch({ random, world }: Run, shop: Shop, _: string, taken: Set<unknown>): Action | undefined {
  const isOff = ({ enabled }: SimulatedPrinter) => !enabled
  const computer = takeBroken(random, shop.computers, taken, ({ printers }) => printers.some(isOff))
  if (!computer) return undefined
  const printer = pickBroken(random, computer.printers, isOff)
  return () =>
    shop.switchPrinters(computer, [printer], async () => {
      printer.enabled = !printer.enabled
      await world.devices.updatePrinter({ ...shop.tenant, printerId: printer.id, enabled: printer.enabled })
    })
}

function drawPause({ random, world }: Run, shop: Shop, _: string, taken: Set<unknown>): Action | undefined {
  const computer = takeBroken(random, shop.computers, taken, ({ agent }) => agent.isPaused)
  if (!computer) return undefined
  const { agent, printers } = computer
  return () =>
    shop.switchPrinters(computer, printers, async () => {
      agent.isPaused = !agent.isPaused
      const { computerId } = agent.owner
      await world.devices.pauseComputer({ ...shop.tenant, computerId, paused: agent.isPaused })
    })
}

function drawEdit({ random }: Run, shop: Shop, _: string, taken: Set<unknown>): Action | undefined {
  const one = takeBroken(random, shop.destinations, taken, ({ enabled }) => !enabled)
  if (!one) return undefined
  const dice = random.integer(1, 100)
  const policy = random.pick(POLICIES)
  const [printerIds, standbyAfter] = [drawPrinters(random, shop), random.integer(0, 3)]
  if (!one.enabled && dice <= REPAIR_PERCENT) return () => shop.changeDestination(one, { enabled: true })
  if (dice <= 60) return () => shop.changeDestination(one, { printerIds })
  if (dice <= 75) return () => shop.changeDestination(one, { policy, standbyAfter })
  return () => shop.changeDestination(one, { enabled: !one.enabled })
}

function drawForeignPrinter(run: Run, shop: Shop, _: string, taken: Set<unknown>): Action | undefined {
  const others = run.shops.filter((other) => other !== shop).flatMap(({ printers }) => printers)
  const one = take(run.random, shop.destinations, taken)
  if (!one || others.length === 0) return undefined
  const { id } = run.random.pick(others)
  return () => shop.tryForeignPrinter(one, id)
}

function drawDeletion({ random }: Run, shop: Shop, _: string, taken: Set<unknown>): Action | undefined {
  const one = take(
    random,
    shop.destinations.filter(({ deleted }) => !deleted),
    taken,
  )
  return one && (() => shop.deleteDestination(one))
}

function drawDestination({ random }: Run, shop: Shop): Action {
  const policy = random.pick(POLICIES)
  const [printerIds, standbyAfter] = [drawPrinters(random, shop), random.integer(0, 3)]
  return () => shop.createDestination(policy, printerIds, standbyAfter)
}

function disconnect(run: Run, { agent }: Computer, how: 'drop' | 'shutDown'): void {
  agent.disconnect(how)
  run.disconnects++
}

/** Ends a connection, or begins it anew with the same journal. */
function drawConnection(run: Run, shop: Shop, _: string, taken: Set<unknown>): Action | undefined {
  const computer = takeBroken(run.random, shop.computers, taken, ({ agent }) => !agent.isConnected)
  if (!computer) return undefined
  const { agent, printers } = computer
  const how = run.random.pick(['drop', 'drop', 'shutDown'] as const)
  const isAtOnce = run.random.chance(30)
  const isLast = run.disconnects >= DISCONNECTS_MAX * shop.computers.length
  return () =>
    shop.switchPrinters(computer, printers, async () => {
      if (agent.isConnected && !isLast) {
        disconnect(run, computer, how)
        if (!isAtOnce) return
      }
      if (agent.isConnected) return
      agent.connect()
      await run.settle()
    })
}

/** The agent reads nothing for some time, so that its jobs are sent again, and return. */
function drawSlowness(run: Run, shop: Shop, _: string, taken: Set<unknown>): Action | undefined {
  const { random, calls } = run
  const computer = takeBroken(random, shop.computers, taken, ({ agent }) => agent.isSlow)
  if (!computer) return undefined
  const { agent } = computer
  return async () => {
    agent.isSlow = !agent.isSlow
    const target = agent.owner.computerId
    const atMs = run.now()
    if (agent.isSlow)
      calls.faults.push({ kind: 'slow agent', target, startedAtMs: atMs, endedAtMs: Number.POSITIVE_INFINITY })
    else
      for (const fault of calls.faults)
        if (fault.kind === 'slow agent' && fault.target === target) fault.endedAtMs = Math.min(fault.endedAtMs, atMs)
  }
}

/** Timers of further replicas. */
function drawSweeps(run: Run): Action {
  const names = [
    'announce waiting',
    'announce waiting',
    'scheduled',
    'unacknowledged',
    'expired',
    'taken by release 0.1.0',
  ]
  const chosen = run.random.shuffle(names).slice(0, run.random.integer(1, 3))
  return async () => void (await Promise.all(chosen.map((name) => run.sweep('jobs', name))))
}
