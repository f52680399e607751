/** The warnings about options that a driver ignores or changes. The texts of all drivers are made here. */
import type { JsonValue } from '@bufbuild/protobuf'

const VALUE_MAX_CHARACTERS = 64

/** A longer list does not help the reader, and a job stores a limited length of warnings. */
const OFFERED_VALUES_MAX = 5

/**
 * The warning for an option that a driver ignores, as a sentence.
 *
 * @param reason the end of the sentence.
 */
export function ignoredOption(name: string, value: JsonValue | undefined, reason: string): string {
  return `The computer ignored the option ${name} ${formatValue(value)}: ${reason}.`
}

/**
 * The reason for a value that the printer does not offer: at most 5 of the offered values and the number of the others.
 *
 * @param offered empty if the values are not known or the printer does not support the option.
 */
export function notOffered(offered: Iterable<JsonValue> = []): string {
  const values = [...offered].map(formatValue)
  if (values.length === 0) return 'this printer does not offer it'
  const others = values.length - OFFERED_VALUES_MAX
  return `this printer offers ${values.slice(0, OFFERED_VALUES_MAX).join(', ')}${others > 0 ? ` and ${others} more` : ''}`
}

/**
 * The warning about a paper that is printed with another size.
 *
 * @param size "210 x 297 mm".
 * @param reason the end of the sentence.
 */
export const changedPaper = (paper: JsonValue, size: string, reason: string) =>
  `The computer prints the paper ${formatValue(paper)} on ${size}: ${reason}.`

/** @param size in tenths of a millimetre. @returns for example "210 x 297 mm". */
export const formatSize = ({ width, height }: { width: number; height: number }) => `${width / 10} x ${height / 10} mm`

function formatValue(value: JsonValue | undefined): string {
  const plain = typeof value === 'object' && value !== null && 'name' in value ? value.name : value
  return typeof plain === 'string' ? `\`${plain.slice(0, VALUE_MAX_CHARACTERS)}\`` : String(plain)
}
