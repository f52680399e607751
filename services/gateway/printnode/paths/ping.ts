import type { Route } from '../route.ts'

export const ping: Route = { method: 'GET', paths: ['ping'], scope: null, handle: () => () => 'pong' }
export const noop: Route = { method: 'GET', paths: ['noop'], scope: null, handle: () => () => null }
