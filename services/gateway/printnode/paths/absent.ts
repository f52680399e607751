/** What programs ask for and Platen does not have. */
import type { Route } from '../route.ts'

export const scales: Route = {
  method: 'GET',
  paths: ['computer/{}/scales', 'computers/{}/scales'],
  scope: 'read',
  handle: () => () => [],
}
/** Of the older interface, which shops ask for before they print. */
export const credits: Route = { method: 'GET', paths: ['credits'], scope: null, handle: () => () => null }
export const statistics: Route = {
  method: 'GET',
  paths: ['billing/statistics'],
  scope: null,
  handle: () => () => ({ data: [] }),
}
