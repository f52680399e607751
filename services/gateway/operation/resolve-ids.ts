/**
 * Numbers in place of ids in paths and filters. After this step there are only ids. Reference:
 * docs/reference/conventions.md#convention.path-id.number.
 */
import { parseNumber } from '@platen/resources/parse-number.ts'
import { NIL } from 'uuid'
import type { Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { isUuid, noSuch } from '../request/path-id.ts'
import type { ResourceName } from './operation.ts'

type Services = Pick<Gateway, 'devices' | 'jobs'>
type FindId = (services: Services, one: Tenant & OneNumber) => Promise<string | undefined>

/** The ranges of a list that selects one number. */
interface OneNumber {
  numbers: { from: number; to: number }[]
  limit: 1
}

const FIND_ID: Partial<Record<ResourceName, FindId>> = {
  printer: async ({ devices }, one) => (await devices.listNumberedPrinters(one)).printers[0]?.id,
  computer: async ({ devices }, one) => (await devices.listNumberedComputers(one)).computers[0]?.id,
  destination: async ({ devices }, { numbers, ...one }) =>
    (await devices.listDestinations({ ...one, number: numbers[0]?.from, page: { limit: 1 } })).destinations[0]?.id,
  'print job': async ({ jobs }, one) => (await jobs.listNumberedJobs(one)).jobs[0]?.id,
}

export const hasNumber = (what: ResourceName): boolean => what in FIND_ID

/**
 * @param kinds of the ids, by their names in the path.
 * @param getTenant is called for a number only.
 * @throws ApiError `not_found` for a number that no resource of the organization and mode has.
 */
export async function resolveIds(
  services: Services,
  getTenant: () => Tenant,
  kinds: Record<string, ResourceName>,
  ids: Record<string, string | number>,
): Promise<Record<string, string>> {
  const resolve = async (id: string | number, what: ResourceName): Promise<string> => {
    if (typeof id === 'string') return id
    const findId = FIND_ID[what]
    if (!findId) throw noSuch(what, 'id')
    const tenant = getTenant()
    const found = await findId(services, { ...tenant, numbers: [{ from: id, to: id }], limit: 1 })
    if (found === undefined) throw noSuch(what, `number in ${tenant.mode} mode`)
    return found
  }
  const entries = Object.entries(ids).map(async ([name, id]) => [name, await resolve(id, kinds[name] ?? 'resource')])
  return Object.fromEntries(await Promise.all(entries))
}

/**
 * A number that no resource has becomes an id that none has, so that the list is empty.
 *
 * @param kinds of the filters by `idOrNumber`.
 */
export async function resolveFilters<Sent extends object>(
  services: Services,
  getTenant: () => Tenant,
  kinds: Record<string, ResourceName>,
  filters: Sent,
): Promise<Sent> {
  const resolve = async ([name, value]: [string, unknown]) => {
    const kind = kinds[name]
    const number = kind && typeof value === 'string' && !isUuid(value) ? parseNumber(value) : undefined
    if (!kind || number === undefined) return [name, value]
    const one = { ...getTenant(), numbers: [{ from: number, to: number }], limit: 1 as const }
    return [name, (await FIND_ID[kind]?.(services, one)) ?? NIL]
  }
  return Object.fromEntries(await Promise.all(Object.entries(filters).map(resolve))) as Sent
}
