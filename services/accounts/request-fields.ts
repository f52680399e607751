/** What requests to this service have in common, and how they are refused. */
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'

const NAME_LENGTH_MAX = 255

/** Of an organization or a key: 1 to 255 code points that a database can take and that are more than white space. */
export const name = z
  .string()
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'must not contain NUL or lone surrogates')
  .refine((text) => text.trim() !== '' && [...text].length <= NAME_LENGTH_MAX, {
    message: `must have 1 to ${NAME_LENGTH_MAX} characters`,
  })

/** @throws ApiError `invalid_request` that names each field that is wrong. */
export function parseRequest<Shape extends z.ZodType>(schema: Shape, request: unknown): z.infer<Shape> {
  const { success, data, error } = schema.safeParse(request)
  if (success) return data
  const faults = error.issues.map(({ path, message }) => `\`${path.join('.')}\`: ${message}`)
  throw new ApiError('invalid_request', `${faults.join('; ')}.`)
}

/** For an id in a request: what is no UUID is nobody's. */
export const isId = (id: string): boolean => z.uuid().safeParse(id).success
