/**
 * Finds the printer that a path names. The only look-up of printers for IPP. It is cached for a short time, because a computer asks
 * several times a second while it prints.
 */
import type { Organization } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Computer, Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { createCache } from '@platen/runtime/cache.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Caller } from '../caller.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../required.ts'

/** The longest delay of a changed state or setting. */
const TTL_MS = 2_000
const PRINTERS_MAX = 1_000
const ORGANIZATION_TTL_MS = 5_000
const ORGANIZATIONS_MAX = 10_000

export interface FoundPrinter {
  printer: Printer
  computer: Computer
  /** Why it accepts no jobs, for people. Undefined: it accepts jobs. */
  closed: string | undefined
}

/** @param text an id, or a number with a caller. @throws ApiError `not_found`. */
export type FindPrinter = (text: string, caller: Caller | undefined) => Promise<FoundPrinter>

export function createPrinterLookUp({
  devices,
  accounts,
  clock,
}: Pick<Gateway, 'devices' | 'accounts' | 'clock'>): FindPrinter {
  const now = () => clock.monotonicMs()
  const printers = createCache<Pick<FoundPrinter, 'printer' | 'computer'>>({ ttlMs: TTL_MS, max: PRINTERS_MAX, now })
  const organizations = createCache<Organization>({ ttlMs: ORGANIZATION_TTL_MS, max: ORGANIZATIONS_MAX, now })

  const read = (tenant: { organizationId: string; mode: string }, text: string) =>
    printers.get(`${tenant.organizationId} ${tenant.mode} ${text}`, async () => {
      const { printer, computer } = await devices.getSharedPrinter({ ...tenant, printer: text })
      return { printer: required(printer), computer: required(computer) }
    })

  /** Without an access the answer is the same for every printer that cannot be used, so that nothing is learned about it. */
  async function findOpen(text: string): Promise<FoundPrinter> {
    const found = await read({ organizationId: '', mode: '' }, text)
    const { organizationId } = found.printer
    const organization = await organizations.get(organizationId, async () =>
      required((await accounts.getOrganization({ organizationId })).organization),
    )
    if (organization.isSuspended || !organization.allowsPrintAccess) throw noPrinter()
    return { ...found, closed: found.printer.enabled ? undefined : DISABLED }
  }

  return async (text, caller) => {
    if (!caller) return await findOpen(text)
    const { organization, mode, credential } = caller
    if (credential.kind !== 'print') throw noPrinter()
    const found = await read({ organizationId: organization.id, mode }, text)
    const { id, shared, enabled } = found.printer
    const { printerIds } = credential.access
    if (printerIds.length > 0 && !printerIds.includes(id)) throw noPrinter()
    const closed = !organization.allowsPrintAccess
      ? 'Printing from computers is switched off in this organization.'
      : !shared
        ? 'This printer is not shared any more. Ask the administrator of the printer.'
        : enabled
          ? undefined
          : DISABLED
    return { ...found, closed }
  }
}

const DISABLED = 'This printer is disabled. Ask the administrator of the printer.'

const noPrinter = () => new ApiError('not_found', 'There is no printer at this address.')
