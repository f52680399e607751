import { ApiError } from '@platen/runtime/errors.ts'
import type { RequestContext } from '../context.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * An id in the path.
 *
 * @param what the resource, for the message: "printer".
 * @param name of the parameter.
 * @throws ApiError `not_found` for a malformed id (docs/reference/conventions.md#convention.path-id.not-uuid).
 */
export function pathId(ctx: RequestContext, what: string, name = 'id'): string {
  const id = ctx.params[name] ?? ''
  if (!UUID.test(id)) throw new ApiError('not_found', `There is no ${what} with this id.`)
  return id.toLowerCase()
}
