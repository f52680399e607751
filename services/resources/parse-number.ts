import { NUMBER } from './limits.ts'

const TEXT = /^#?(\d{1,10})$/

/**
 * Reads the number of a job, printer or computer as people write it: `1042` or `#1042`.
 *
 * @returns undefined for any other text.
 */
export function parseNumber(text: string): number | undefined {
  const number = Number(TEXT.exec(text)?.[1])
  return number >= NUMBER.min && number <= NUMBER.max ? number : undefined
}
