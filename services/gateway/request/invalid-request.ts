import { ApiError } from '@platen/runtime/errors.ts'
import type { z } from 'zod'

const PROBLEMS_TOLD_MAX = 5
const NAME_LENGTH_MAX = 64

/** A refusal that names each bad field and its rule. */
export function invalidRequest(error: z.ZodError): ApiError {
  const problems = error.issues.slice(0, PROBLEMS_TOLD_MAX).map((issue) => {
    const at = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys') return at === '' ? issue.message : `${quoted(at)}: ${issue.message}`
    const names = issue.keys.slice(0, PROBLEMS_TOLD_MAX).map((key) => quoted(at === '' ? key : `${at}.${key}`))
    return `${names.join(', ')}: not known here`
  })
  return new ApiError('invalid_request', `${problems.join('; ')}.`)
}

/** A name that the caller made up, cut where it is too long to be told. */
export function quoted(name: string): string {
  return `\`${name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name}\``
}
