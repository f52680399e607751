import type { Job } from '../../../api/resources.ts'

/** "Ignored options: nup 4 (not available on Windows); …" or "The computer ignored the option nup 4: …". */
const NAME = /(?:options: |the option |; )(\w+) /g

/** @returns the names of the options that the service or the agent dropped. */
export function findIgnored({ stateReasons, stateMessage }: Job): string[] {
  if (!stateReasons.includes('option-ignored') || !stateMessage) return []
  return [...stateMessage.matchAll(NAME)].map(([, name]) => name as string)
}
