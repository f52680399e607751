/** The fields of a destination in requests, and its JSON. */
import type { Destination } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { DescribeDestinationsResponse } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { DESTINATION, DESTINATION_POLICIES } from '@platen/resources/destination-schema.ts'
import { integer } from '@platen/resources/fields.ts'
import { DESTINATION_LIMITS, PRINT_JOB_LIMITS } from '@platen/resources/limits.ts'
import { parseNumber } from '@platen/resources/parse-number.ts'
import { shortText } from '@platen/resources/text.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { createToJson } from '@platen/resources/to-json.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import type { Tenant } from '../../context.ts'
import type { Gateway } from '../../gateway.ts'
import { resolveIds } from '../../operation/resolve-ids.ts'
import { isUuid } from '../../request/path-id.ts'
import { required } from '../../required.ts'

const { nameLengthMax, printersMax, standbyAfterSeconds } = DESTINATION_LIMITS

const PRINTER_RULE = 'must be a UUID or a number'

const printer = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z
    .string(PRINTER_RULE)
    .refine((text) => isUuid(text) || parseNumber(text) !== undefined, PRINTER_RULE)
    .toLowerCase(),
)

export const NAME = shortText(nameLengthMax)
export const PRINTERS = z
  .array(printer, 'must be an array')
  .min(1, 'must have at least 1 entry')
  .max(printersMax, `must have at most ${printersMax} entries`)
export const POLICY = z.enum(
  DESTINATION_POLICIES,
  `must be ${DESTINATION_POLICIES.map((policy) => `\`${policy}\``).join(' or ')}`,
)
export const STANDBY_AFTER = integer(standbyAfterSeconds)
export const EXPIRE_AFTER = integer(PRINT_JOB_LIMITS.expireAfterSeconds)

/**
 * @returns the ids of printers that are named by ids or numbers.
 * @throws ApiError `not_found` for a number that no printer has; `invalid_request` for a printer that is named twice.
 */
export async function toPrinterIds(gateway: Gateway, tenant: Tenant, printers: string[]): Promise<string[]> {
  const named = printers.map((text, n) => [String(n), isUuid(text) ? text : (parseNumber(text) ?? 0)] as const)
  const kinds = Object.fromEntries(named.map(([n]) => [n, 'printer' as const]))
  const ids = Object.values(await resolveIds(gateway, () => tenant, kinds, Object.fromEntries(named)))
  const twice = ids.findIndex((id, n) => ids.indexOf(id) < n)
  if (twice >= 0)
    throw new ApiError('invalid_request', '`printers`: has a printer twice', { param: `printers[${twice}]` })
  return ids
}

/** What jobs know about some destinations. */
export async function describeJobs({ jobs }: Pick<Gateway, 'jobs'>, tenant: Tenant, destinations: Destination[]) {
  return await jobs.describeDestinations({
    ...tenant,
    destinationIds: destinations.map(({ id }) => id),
    printerIds: destinations.flatMap(({ printers }) => printers.map(({ printerId }) => printerId)),
  })
}

interface Described extends Destination {
  known: DescribeDestinationsResponse
}

const findJobId = ({ jobs }: DescribeDestinationsResponse, printerId: string) =>
  jobs.find((job) => job.printerId === printerId)?.jobId

/** A printer that has a job is not the next one, unless it is the only one that may take a job. */
function findNext({ printers, known }: Described): string | null {
  const turns = printers.filter(({ hasTurn }) => hasTurn)
  return (turns.find(({ printerId }) => !findJobId(known, printerId)) ?? turns[0])?.printerId ?? null
}

const toJson = createToJson<Described, typeof DESTINATION>(DESTINATION, {
  printers: ({ printers, known }) =>
    printers.map(({ printerId, name, computerId, reason, detail, since }) => ({
      ...{
        printerId,
        name,
        computerId: computerId || null,
        reason: reason ?? null,
        detail: (reason && detail) || null,
      },
      since: timestampToJson(since),
      jobId: findJobId(known, printerId) ?? null,
    })),
  waitingJobs: ({ id, known }) => known.queues.find(({ destinationId }) => destinationId === id)?.jobs ?? 0,
  nextPrinterId: findNext,
})

/** @returns the JSON of each destination. */
export async function destinationsToJson(gateway: Pick<Gateway, 'jobs'>, tenant: Tenant, destinations: Destination[]) {
  const known = await describeJobs(gateway, tenant, destinations)
  return destinations.map((destination) => toJson({ ...destination, known }))
}

export async function destinationToJson(
  gateway: Pick<Gateway, 'jobs'>,
  tenant: Tenant,
  destination: Destination | undefined,
) {
  return (await destinationsToJson(gateway, tenant, [required(destination)]))[0]
}
