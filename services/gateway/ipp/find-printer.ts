/**
 * Finds the printer that a path names: a printer, or a destination, which is a printer for computers. The only look-up
 * of printers for IPP. It is cached for a short time, because a computer asks several times a second while it prints.
 */
import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import type { Organization } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Computer, Destination, Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { listUnavailable } from '@platen/resources/explain/destination-rules.ts'
import { createCache } from '@platen/runtime/cache.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Caller } from '../caller.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../required.ts'
import type { Address } from './addresses.ts'
import { intersectOffers } from './intersect-offers.ts'
import { createOffer, type Offer } from './offer.ts'

/** The longest delay of a changed state or setting. */
const TTL_MS = 2_000
const PRINTERS_MAX = 1_000
const ORGANIZATION_TTL_MS = 5_000
const ORGANIZATIONS_MAX = 10_000

export interface FoundPrinter {
  /** The id of the printer or the destination. */
  id: string
  isDestination: boolean
  name: string
  /** The names of its computers. */
  location: string
  /** Make and model. */
  model: string
  changedAt: Timestamp
  enabled: boolean
  /** Keywords of `printer-state-reasons`. */
  reasons: string[]
  /** Its state, for people. Can be empty. */
  detail: string
  /** Why jobs wait, for people. Undefined: they do not wait. */
  waits: string | undefined
  offer: Offer
  /** Why it accepts no jobs, for people. Undefined: it accepts jobs. */
  closed: string | undefined
}

/** The same for all callers. */
interface KnownPrinter extends Omit<FoundPrinter, 'closed'> {
  organizationId: string
  /** What a print access must reach. */
  printerIds: string[]
  /** Whether it is shared, as is a destination whose printers all are. */
  isShared: boolean
}

/** @param address with an id, or a number with a caller. @throws ApiError `not_found`. */
export type FindPrinter = (address: Address, caller: Caller | undefined) => Promise<FoundPrinter>

export function createPrinterLookUp({
  devices,
  accounts,
  clock,
}: Pick<Gateway, 'devices' | 'accounts' | 'clock'>): FindPrinter {
  const now = () => clock.monotonicMs()
  const printers = createCache<KnownPrinter>({ ttlMs: TTL_MS, max: PRINTERS_MAX, now })
  const organizations = createCache<Organization>({ ttlMs: ORGANIZATION_TTL_MS, max: ORGANIZATIONS_MAX, now })

  const read = (tenant: { organizationId: string; mode: string }, { printer: text, isDestination }: Address) =>
    printers.get(`${tenant.organizationId} ${tenant.mode} ${isDestination} ${text}`, async () => {
      if (isDestination) {
        const found = await devices.getSharedDestination({ ...tenant, destination: text })
        const members = found.printers.map(({ printer, computer }) =>
          describePrinter(required(printer), required(computer)),
        )
        return describeDestination(required(found.destination), members)
      }
      const { printer, computer } = await devices.getSharedPrinter({ ...tenant, printer: text })
      return describePrinter(required(printer), required(computer))
    })

  /**
   * A caller without an access gets the same answer for every printer that cannot be used, and learns nothing about it.
   */
  async function findOpen(address: Address): Promise<FoundPrinter> {
    const found = await read({ organizationId: '', mode: '' }, address)
    const { organizationId } = found
    const organization = await organizations.get(organizationId, async () =>
      required((await accounts.getOrganization({ organizationId })).organization),
    )
    if (organization.isSuspended || !organization.allowsPrintAccess) throw noPrinter()
    return { ...found, closed: found.enabled ? undefined : toDisabled(found) }
  }

  return async (address, caller) => {
    if (!caller) return await findOpen(address)
    const { organization, mode, credential } = caller
    if (credential.kind !== 'print') throw noPrinter()
    const found = await read({ organizationId: organization.id, mode }, address)
    const { printerIds } = credential.access
    if (printerIds.length > 0 && !found.printerIds.every((id) => printerIds.includes(id))) throw noPrinter()
    const closed = !organization.allowsPrintAccess
      ? 'Printing from computers is switched off in this organization.'
      : !found.isShared
        ? toUnshared(found)
        : found.enabled
          ? undefined
          : toDisabled(found)
    return { ...found, closed }
  }
}

function describePrinter(printer: Printer, computer: Computer): KnownPrinter {
  const { id, organizationId, displayName, description, shared, enabled, state, stateDetail, stateReasons } = printer
  const reported = stateReasons.filter((one) => /^[a-z0-9][a-z0-9._-]*$/.test(one) && one !== 'none')
  return {
    id,
    organizationId,
    printerIds: [id],
    isDestination: false,
    name: displayName,
    location: computer.name,
    model: description || printer.name,
    changedAt: required(printer.updatedAt),
    isShared: shared,
    enabled,
    reasons: state === 'online' ? reported : ['offline-report'],
    detail: stateDetail,
    waits:
      state === 'online'
        ? undefined
        : state === 'unknown'
          ? `The computer ${computer.name} of this printer is not connected. Jobs wait until it is.`
          : 'The printer cannot be reached by its computer. Jobs wait until it can.',
    offer: createOffer(printer, computer),
  }
}

/** @param members its printers that exist, at least one. */
function describeDestination(destination: Destination, members: KnownPrinter[]): KnownPrinter {
  const { id, organizationId, name, enabled, printers } = destination
  const isAvailable = printers.some(({ reason }) => reason === undefined)
  const times = [required(destination.updatedAt), ...members.map(({ changedAt }) => changedAt)]
  return {
    id,
    organizationId,
    printerIds: members.map((member) => member.id),
    isDestination: true,
    name,
    location: [...new Set(members.map(({ location }) => location))].join(', '),
    model: name,
    changedAt: times.reduce((latest, time) => (timestampDate(time) > timestampDate(latest) ? time : latest)),
    isShared: members.every(({ isShared }) => isShared),
    enabled,
    reasons: isAvailable ? [] : ['offline-report'],
    detail: '',
    waits: isAvailable ? undefined : `No printer is available: ${listUnavailable(printers)}. Jobs wait until one is.`,
    offer: intersectOffers(members.map(({ offer }) => offer)),
  }
}

const toDisabled = ({ isDestination }: KnownPrinter) =>
  isDestination
    ? 'This destination is disabled. Ask its administrator.'
    : 'This printer is disabled. Ask the administrator of the printer.'

const toUnshared = ({ isDestination }: KnownPrinter) =>
  isDestination
    ? 'Not all printers of this destination are shared. Ask its administrator.'
    : 'This printer is not shared any more. Ask the administrator of the printer.'

const noPrinter = () => new ApiError('not_found', 'There is no printer at this address.')
