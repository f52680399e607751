import type { JsonValue } from '@bufbuild/protobuf'

const VALUE_MAX_CHARACTERS = 64

/**
 * The warning for an option that a driver ignores, as a sentence.
 *
 * @param why the reason, appended to the sentence.
 */
export function ignoredOption(name: string, value: JsonValue | undefined, why: string): string {
  const text = typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : value
  const shown = typeof text === 'string' ? `\`${text.slice(0, VALUE_MAX_CHARACTERS)}\`` : String(text)
  return `The computer ignored the option ${name} ${shown}: ${why}.`
}
