/** What programs ask for and Platen does not have. */
import { ApiError } from '@platen/runtime/errors.ts'
import type { RequestContext } from '../../context.ts'
import type { Route } from '../route.ts'

/** Management of accounts, clients and webhooks. The dashboard has other paths below `/account`. */
const MANAGEMENT = /^(account(\/(apikey|controllable|state|tag)\b.*)?|(client|download|webhooks?)(\/.*)?)$/

/** @param path without slashes at its ends. */
export const isManagement = (path: string): boolean => MANAGEMENT.test(path)

/** A job for a child account must not be printed by its parent. @throws ApiError `forbidden` */
export function refuseChildAccount(ctx: RequestContext): void {
  if (Object.keys(ctx.headers).some((name) => name.startsWith('x-child-account-by-')))
    throw new ApiError('forbidden', 'Platen has no child accounts. Use an API key of the organization that prints.')
}

export const scales: Route = {
  method: 'GET',
  paths: ['computer/{}/scales', 'computers/{}/scales'],
  scope: 'read',
  handle: () => () => [],
}
/** A route of the older interface, which shops ask for before they print. */
export const credits: Route = { method: 'GET', paths: ['credits'], scope: null, handle: () => () => null }
/** Modules of Odoo read fields of `current`, and show all printers as offline after an error. */
export const billing: Route = {
  method: 'GET',
  paths: ['billing/statistics', 'billing/plan'],
  scope: null,
  handle: () => () => ({ current: {} }),
}
