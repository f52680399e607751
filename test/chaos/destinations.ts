/**
 * The destinations of each organization, and what users do with them during a run: change their printers, and switch
 * one of these off.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { DestinationChange, PrinterSwitch } from '../checker/history.ts'
import type { System } from '../harness/system.ts'
import { seededRandom } from './random.ts'

/** Between two actions. */
const THINK_MS = { from: 300, to: 1_200 }
const CALL_TIMEOUT_MS = 5_000
const POLICIES = ['first', 'any'] as const

export interface DestinationsTenant {
  organizationId: string
  mode: 'live' | 'test'
  /** All printers. Jobs of printers leave out the last one, which users switch off. */
  printerIds: string[]
  destinationIds: string[]
}

type Owner = Omit<DestinationsTenant, 'destinationIds'>

/** The changes that the history has of a run. */
export interface Used {
  destinationChanges: DestinationChange[]
  printerSwitches: PrinterSwitch[]
}

/** @returns the ids of one destination of each policy, of all printers. The one that breaks is the first. */
export async function createDestinations(system: System, tenant: Owner): Promise<string[]> {
  const devices = system.connect(DevicesService, 'devices')
  const ids: string[] = []
  for (const policy of POLICIES) {
    const { organizationId, mode, printerIds } = tenant
    const facts = { organizationId, mode, printerIds: printerIds.toReversed(), enabled: true, standbyAfter: 1 }
    const { destination } = await devices.createDestination({ ...facts, name: `destination ${policy}`, policy })
    ids.push(destination?.id ?? '')
  }
  return ids
}

/** Returns when `signal` has ended it. A call that fails may have taken effect. */
export async function useDestinations(
  system: System,
  tenants: DestinationsTenant[],
  seed: number,
  signal: AbortSignal,
): Promise<Used> {
  const random = seededRandom(seed ^ 0x5eed)
  const devices = system.connect(DevicesService, 'devices')
  const used: Used = { destinationChanges: tenants.flatMap(toCreations), printerSwitches: [] }
  while (!signal.aborted) {
    const { organizationId, mode, printerIds, destinationIds } = random.pick(tenants)
    const isChange = random.chance(50)
    const destinationId = random.pick(destinationIds)
    const chosen = random.shuffle(printerIds).slice(0, random.integer(1, printerIds.length))
    const enabled = random.chance(50)
    const options = { timeoutMs: CALL_TIMEOUT_MS }
    const policy = POLICIES[destinationIds.indexOf(destinationId)] ?? 'any'
    const printerId = printerIds.at(-1) ?? ''
    const times = { startedAtMs: Date.now(), answeredAtMs: null }
    const change: DestinationChange = { destinationId, policy, printerIds: chosen, ...times }
    const switched: PrinterSwitch = { printerId, enabled, ...times }
    if (isChange) used.destinationChanges.push(change)
    else used.printerSwitches.push(switched)
    const call = isChange
      ? devices.updateDestination({ organizationId, mode, destinationId, printers: { ids: chosen } }, options)
      : devices.updatePrinter({ organizationId, mode, printerId, enabled }, options)
    await call.then(
      () => {
        const done = isChange ? change : switched
        done.answeredAtMs = Date.now()
      },
      () => undefined,
    )
    await sleep(random.integer(THINK_MS.from, THINK_MS.to))
  }
  return used
}

/** The changes that `createDestinations` stands for. */
const toCreations = ({ destinationIds, printerIds }: DestinationsTenant): DestinationChange[] =>
  POLICIES.map((policy, n) => {
    const destinationId = destinationIds[n] ?? ''
    return { destinationId, policy, printerIds: printerIds.toReversed(), startedAtMs: 0, answeredAtMs: 0 }
  })

/** All printers work and belong to all destinations, so that each job can be printed. */
export async function restoreDestinations(system: System, tenants: DestinationsTenant[]): Promise<Used> {
  const devices = system.connect(DevicesService, 'devices')
  const used: Used = { destinationChanges: [], printerSwitches: [] }
  for (const { organizationId, mode, printerIds, destinationIds } of tenants) {
    const printerId = printerIds.at(-1) ?? ''
    const switchedAtMs = Date.now()
    await devices.updatePrinter({ organizationId, mode, printerId, enabled: true })
    used.printerSwitches.push({ printerId, enabled: true, startedAtMs: switchedAtMs, answeredAtMs: Date.now() })
    for (const [n, destinationId] of destinationIds.entries()) {
      const startedAtMs = Date.now()
      await devices.updateDestination({ organizationId, mode, destinationId, printers: { ids: printerIds } })
      const policy = POLICIES[n] ?? 'any'
      used.destinationChanges.push({ destinationId, policy, printerIds, startedAtMs, answeredAtMs: Date.now() })
    }
  }
  return used
}
