import { parseNumber } from '@platen/resources/parse-number.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RequestContext } from '../context.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)

/**
 * An id in the path, in lower case, or a number, which only some resources have: see `operation/resolve-ids.ts`.
 *
 * @param what the resource, for the message: "printer".
 * @param name of the parameter.
 * @throws ApiError `not_found` for any other text (docs/reference/conventions.md#convention.path-id.not-uuid).
 */
export function pathId(ctx: RequestContext, what: string, name = 'id'): string | number {
  const text = ctx.params[name] ?? ''
  if (isUuid(text)) return text.toLowerCase()
  const number = parseNumber(text)
  if (number === undefined) throw noSuch(what, 'id')
  return number
}

export const noSuch = (what: string, key: string) => new ApiError('not_found', `There is no ${what} with this ${key}.`)
