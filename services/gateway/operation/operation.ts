/**
 * The definition of an operation of the API. Each is one file of `operations/`; the table `operations.ts` lists them.
 * The router serves them by `serve-operation.ts`, the OpenAPI document describes them, and tests check their
 * permissions and schemas.
 */
import type { PageEnd } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { WORK_AT_ONCE } from '@platen/resources/limits.ts'
import type { ErrorCode } from '@platen/runtime/errors.ts'
import type { z } from 'zod'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import type { Permission } from '../authentication/require-permission.ts'
import type { RequestContext, RouteStep, Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import type { Tag } from '../openapi/tags.ts'
import type { Filters, PageQuery } from '../request/page.ts'

/** A resource with an id in a path. */
export type ResourceName =
  | 'printer'
  | 'computer'
  | 'destination'
  | 'print job'
  | 'batch'
  | 'event'
  | 'enrolment token'
  | 'webhook endpoint'
  | 'delivery'
  | 'session'
  | 'API key'
  | 'print access'
  | 'member'
  | 'invitation'
  | 'alert rule'
  | 'resource'

/** `'id' | 'deliveryId'` of `/v1/webhooks/{id}/deliveries/{deliveryId}`. */
type IdsIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | IdsIn<Rest> : never

interface OperationRequest<Ids extends string, Query extends z.ZodType, Body extends z.ZodType> {
  ctx: RequestContext
  /** @throws ApiError `unauthorized` without a key. */
  readonly tenant: Tenant
  /** The ids in the path, in lower case. */
  ids: Record<Ids, string>
  /** The page of a list in pages, or the parameters as `filters`. */
  query: PageQuery<Filters<Query>>
  /** Parsed by its schema. */
  body: z.output<Body>
}

interface Definition<Path extends string, Query extends z.ZodType, Body extends z.ZodType, Result> extends Permission {
  /** Its name in the OpenAPI document. */
  operationId: string
  method: 'get' | 'post' | 'patch' | 'delete'
  path: Path
  /** The resource of each id in the path. */
  ids?: Record<IdsIn<Path>, ResourceName>
  /** The credential, if it is neither an API key nor a session: a session alone, or none before the sign-in. */
  credential?: 'enrollmentToken' | 'session' | 'none'
  /** The tenant of operations for sessions alone: an organization, or only one of its modes. */
  tenant?: 'organization' | 'mode'
  /** Whether a session needs a sign-in within the last hour. */
  needsRecentSignIn?: (request: { mode: string; body: z.output<Body> }) => boolean
  /** Whether the audit log has it, if it does not follow from the method and the roles: see `record-action.ts`. */
  isAudited?: boolean | 'always'
  tag: Tag
  /** A few words. */
  summary: string
  /** Paragraphs of Markdown, without the scope and facts of all operations. */
  description: string
  /** The parameters: `PAGE_QUERY`, extended by filters, for a list in pages. Without it the operation has none. */
  query?: Query
  /** The resources of filters by `idOrNumber`. */
  filterIds?: Partial<Record<keyof Filters<Query>, ResourceName>>
  /**
   * The units of work that it uses, of `WORK_AT_ONCE`. Default: 1, and 4 for a list in pages and an action of the audit
   * log by a key.
   */
  units?: number | ((query: PageQuery<Filters<Query>>) => number)
  /** A schema created by `jsonBody`, or `jsonChanges` for a `PATCH`. Without it the operation has no body. */
  body?: Body
  /** The same body as `multipart/form-data`, only for the OpenAPI document. */
  form?: z.ZodType
  /** A request without a body is the same as one with an empty object. */
  bodyIsOptional?: boolean
  /** Examples by title. Without them the example consists of the examples of the fields. */
  bodyExamples?: Record<string, object>
  /** `handle` reads the body itself. */
  bodyIsStreamed?: boolean
  /** Whether it supports `Idempotency-Key`. */
  isIdempotent?: boolean
  /** Further headers of the request, which `handle` reads. */
  headers?: z.ZodObject
  /** Requests that the service sends because of it. */
  callbacks?: ZodOpenApiOperationObject['callbacks']
  answer: {
    status: 200 | 201 | 202 | 204
    description: string
    schema?: z.ZodType
    /** Examples by title. Without them the example consists of the examples of the fields. */
    examples?: Record<string, object>
    /** The type of a response that is not JSON, which `handle` writes to the response. */
    contentType?: string
    /** Besides JSON, for requests that accept it. `handle` writes it. */
    acceptableType?: string
  }
  /** Codes besides those of every operation of its kind: see `errorCodes`. */
  errors?: readonly ErrorCode[]
  /** Steps before the body is read. */
  before?(gateway: Gateway): RouteStep[]
  /** @returns the JSON of the response, or the resources of a page. */
  handle(gateway: Gateway): (request: OperationRequest<IdsIn<Path>, Query, Body>) => Result | Promise<Result>
}

export type Operation = Omit<
  Definition<string, z.ZodType, z.ZodType, unknown>,
  'handle' | 'ids' | 'filterIds' | 'units' | 'needsRecentSignIn'
> & {
  filterIds?: Record<string, ResourceName>
  units?: number | ((query: never) => number)
  ids?: Record<string, ResourceName>
  needsRecentSignIn?: (request: never) => boolean
  handle(gateway: Gateway): (request: never) => unknown
}

/** The result of the handler of a list. */
export type FoundPage = {
  end: PageEnd | undefined
} & ({ data: unknown[] } | { /** The JSON of each resource, as text or in UTF-8. */ json: (string | Uint8Array)[] })

export function operation<
  const Path extends string,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(
  definition: Definition<Path, Query, Body, z.output<Query> extends { limit: number } ? FoundPage : unknown>,
): Operation {
  return definition as Operation
}

/** The units of an operation that reads many rows, makes many calls, or draws. */
export const LARGE = 10
/** The units of a page of a list, and of an action of the audit log. */
export const LIST = WORK_AT_ONCE.longFrom

/**
 * @param query undefined for an operation without parameters.
 * @param isLong it is an action of the audit log by a key, which has two commits more.
 */
export function countUnits({ units, query: schema }: Operation, query: object | undefined, isLong: boolean): number {
  if (typeof units === 'function') return (units as (query: object | undefined) => number)(query)
  return units ?? (schema || isLong ? LIST : 1)
}

/** The codes of every operation of its kind, and its own. Sessions get `forbidden`, and send each POST as JSON. */
export function errorCodes({
  ids,
  scope,
  credential,
  method,
  body,
  needsRecentSignIn,
  errors = [],
}: Operation): ErrorCode[] {
  return [
    'invalid_request',
    'unauthorized',
    ...(scope === null ? [] : (['insufficient_scope'] as const)),
    ...(credential ? [] : (['forbidden'] as const)),
    'organization_suspended',
    ...(needsRecentSignIn ? (['recent_sign_in_required'] as const) : []),
    ...(ids ? (['not_found'] as const) : []),
    'request_timeout',
    'content_too_large',
    ...(body || method === 'post' ? (['unsupported_media_type'] as const) : []),
    'rate_limited',
    'internal_error',
    'service_unavailable',
    ...errors,
  ]
}
