import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { quoted } from '@platen/resources/text.ts'
import { ApiError } from '@platen/runtime/errors.ts'

/** @throws ApiError `invalid_request` if another destination has the name; otherwise the error. */
export function refuseTakenName(error: unknown, name: string): never {
  if (!(error instanceof UniqueConstraintViolationException)) throw error
  throw new ApiError('invalid_request', `\`name\`: another destination has the name ${quoted(name)}`, { param: 'name' })
}
