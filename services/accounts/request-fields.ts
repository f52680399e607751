/** Common fields of requests and their validation. */
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import { ROLES } from './entities.ts'

const NAME_LENGTH_MAX = 255

/** The name of an organization or a key: 1 to 255 code points without NUL and lone surrogates, not only white space. */
export const name = z
  .string()
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must not contain NUL or lone surrogates')
  .refine((text) => text.trim() !== '' && [...text].length <= NAME_LENGTH_MAX, {
    message: `must have 1 to ${NAME_LENGTH_MAX} characters`,
  })

/** Source: RFC 5321, 4.5.3.1. */
const EMAIL_LENGTH_MAX = 254

/** In lower case, so that each address has one user. `owner@localhost` is valid. */
export const email = z
  .string()
  .max(EMAIL_LENGTH_MAX, `must have at most ${EMAIL_LENGTH_MAX} characters`)
  .toLowerCase()
  .pipe(z.email({ pattern: z.regexes.html5Email, error: 'must be an e-mail address' }))

export const role = z.enum(ROLES, `must be one of ${ROLES.join(', ')}`)

/** @throws ApiError `invalid_request` with all invalid fields. */
export function parseRequest<Shape extends z.ZodType>(schema: Shape, request: unknown): z.infer<Shape> {
  const { success, data, error } = schema.safeParse(request)
  if (success) return data
  const problems = error.issues.map(({ path, message }) => `\`${String(path[0])}\`: ${message}`)
  const param = error.issues[0]?.path[0]
  throw new ApiError('invalid_request', `${problems.join('; ')}.`, {
    param: param === undefined ? param : String(param),
  })
}

export const isId = (id: string): boolean => z.uuid().safeParse(id).success
