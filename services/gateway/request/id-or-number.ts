import { parseNumber } from '@platen/resources/parse-number.ts'
import { z } from 'zod'
import { isUuid } from './path-id.ts'

const RULE = 'must be a UUID or a number'

/**
 * A filter or a field that names a resource with a number. `filterIds` of the operation, or its handler, puts the id in
 * its place.
 */
export const idOrNumber = (description: string) =>
  z
    .string(RULE)
    .refine((text) => isUuid(text) || parseNumber(text) !== undefined, RULE)
    .toLowerCase()
    .optional()
    .meta({ description: `${description} Its id or its \`number\`.` })
