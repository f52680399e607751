/** Pairs of names and values that a client keeps with a job. Reference: docs/reference/print-jobs.md#metadata. */
import { z } from 'zod'
import { METADATA } from './limits.ts'
import { shortText } from './text.ts'

const KEY_RULE = `must have keys of 1 to ${METADATA.keyLengthMax} letters, digits, \`_\`, \`.\` and \`-\``

/** @returns false for a name that programs in JavaScript cannot use as a key. */
const isMetadataKey = (key: string): boolean =>
  key.length <= METADATA.keyLengthMax && METADATA.key.test(key) && key !== '__proto__'

const tooMany = `must have at most ${METADATA.pairsMax} pairs`

export const METADATA_PAIRS = z
  .record(z.string().refine(isMetadataKey, KEY_RULE), shortText(METADATA.valueLengthMax, 0), 'must be an object')
  .refine((pairs) => Object.keys(pairs).length <= METADATA.pairsMax, tooMany)
