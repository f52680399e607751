/** The destinations of each organization, and what users do with them during a run: change their printers, and switch one of these off. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { DestinationChange } from '../checker/history.ts'
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

/** Returns when `signal` has ended it. A call that fails may have taken effect. @returns the changes of printers. */
export async function useDestinations(
  system: System,
  tenants: DestinationsTenant[],
  seed: number,
  signal: AbortSignal,
): Promise<DestinationChange[]> {
  const random = seededRandom(seed ^ 0x5eed)
  const devices = system.connect(DevicesService, 'devices')
  const changes: DestinationChange[] = []
  while (!signal.aborted) {
    const { organizationId, mode, printerIds, destinationIds } = random.pick(tenants)
    const isChange = random.chance(50)
    const destinationId = random.pick(destinationIds)
    const chosen = random.shuffle(printerIds).slice(0, random.integer(1, printerIds.length))
    const enabled = random.chance(50)
    const options = { timeoutMs: CALL_TIMEOUT_MS }
    const change: DestinationChange = { destinationId, printerIds: chosen, startedAtMs: Date.now(), answeredAtMs: null }
    if (isChange) changes.push(change)
    const call = isChange
      ? devices.updateDestination({ organizationId, mode, destinationId, printers: { ids: chosen } }, options)
      : devices.updatePrinter({ organizationId, mode, printerId: printerIds.at(-1) ?? '', enabled }, options)
    await call.then(
      () => {
        change.answeredAtMs = Date.now()
      },
      () => undefined,
    )
    await sleep(random.integer(THINK_MS.from, THINK_MS.to))
  }
  return changes
}

/** All printers work and belong to all destinations, so that each job can be printed. @returns the changes of printers. */
export async function restoreDestinations(system: System, tenants: DestinationsTenant[]): Promise<DestinationChange[]> {
  const devices = system.connect(DevicesService, 'devices')
  const changes: DestinationChange[] = []
  for (const { organizationId, mode, printerIds, destinationIds } of tenants) {
    await devices.updatePrinter({ organizationId, mode, printerId: printerIds.at(-1) ?? '', enabled: true })
    for (const destinationId of destinationIds) {
      const startedAtMs = Date.now()
      await devices.updateDestination({ organizationId, mode, destinationId, printers: { ids: printerIds } })
      changes.push({ destinationId, printerIds, startedAtMs, answeredAtMs: Date.now() })
    }
  }
  return changes
}
