/** Parts of rules for jobs of which nothing was printed. */
import type { Facts } from './facts.ts'
import type { Cause } from './rule.ts'
import { toTime } from './texts.ts'
import { toDate } from './to-facts.ts'

export const notYet = (facts: Facts, cause: string, more: Omit<Cause, 'paper' | 'cause'>): Cause => ({
  paper: 'not_yet',
  cause,
  until: expiry(facts),
  ...more,
})

const expiry = ({ job }: Facts) => toDate(job.expiresAt)

export const untilExpiry = (facts: Facts) => {
  const time = expiry(facts)
  return time ? ` The job expires at ${toTime(time)}.` : ''
}
