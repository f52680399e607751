import type { RequestContext, Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'

export interface PrintNodeRequest {
  ctx: RequestContext
  tenant: Tenant
  /** The parts of the path at the places of `{…}`, decoded. */
  parts: string[]
}

/** A route of the interface: one path of PrintNode's API. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  /** `{}` is a set of ids. */
  paths: string[]
  /** The scope of the key. Null: any key. */
  scope: 'read' | 'print' | null
  /** The units as those of an operation of `/v1`: default 1. */
  units?: number
  /** @returns the JSON of the response. */
  handle(gateway: Gateway): (request: PrintNodeRequest) => unknown
}
