/**
 * Names of targets in the audit log, for targets that the service accounts does not know. Reference:
 * docs/reference/sessions.md#audit.target-name.
 */
import { getTenant, type RequestContext, type Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import type { ResourceName } from './operation.ts'

type ReadName = (services: Services, tenant: Tenant, id: string) => Promise<string | undefined>
type Services = Pick<Gateway, 'devices' | 'endpoints'>

const toHost = (url = '') => URL.parse(url)?.host

/** Readers by the kind in the path of an operation. Titles of jobs are not kept for as long as the log. */
const READ_NAME: Partial<Record<ResourceName, ReadName>> = {
  printer: async ({ devices }, tenant, printerId) =>
    (await devices.getPrinter({ ...tenant, printerId })).printer?.displayName,
  computer: async ({ devices }, tenant, computerId) =>
    (await devices.getComputer({ ...tenant, computerId })).computer?.name,
  destination: async ({ devices }, tenant, destinationId) =>
    (await devices.getDestination({ ...tenant, destinationId })).destination?.name,
  // A path or query can hold a secret.
  'webhook endpoint': async ({ endpoints }, tenant, endpointId) =>
    toHost((await endpoints.getEndpoint({ ...tenant, endpointId })).endpoint?.url),
}

/**
 * @returns the name before the action. Undefined if the caller's organization and mode has no such resource, or its
 *   service does not answer.
 */
export async function readTargetName(services: Services, ctx: RequestContext, kind: ResourceName, id: string) {
  return await READ_NAME[kind]?.(services, getTenant(ctx), id).catch(() => undefined)
}

/** @param body of a creation. @returns the name that it gives to a computer, destination or webhook endpoint. */
export function getCreatedName(body: unknown): string | undefined {
  const { hostname, name, url, printers } = (body ?? {}) as Record<'hostname' | 'name' | 'url', string | undefined> & {
    printers?: string[]
  }
  if (printers) return name
  return hostname === undefined ? toHost(url) : (name ?? hostname)
}
