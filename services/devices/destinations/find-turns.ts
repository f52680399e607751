/**
 * A pure function that finds the printers that may take the next job of a destination. Reference:
 * docs/reference/destinations.md#policies.
 */
import type { DestinationPolicy } from '@platen/resources/destination-schema.ts'

interface Candidate {
  /** Null: it is available. */
  reason: string | null
  since: Date | null
}

interface Candidates<Printer> {
  enabled: boolean
  policy: DestinationPolicy
  /** Seconds. */
  standbyAfter: number
  /** The printers are in the order of the destination. */
  printers: Printer[]
}

/**
 * A printer that is busy is available, so a later one of the policy `first` does not stand in for it.
 *
 * @returns the printers, at most one of the policy `first`.
 */
export function findTurns<Printer extends Candidate>(
  { enabled, policy, standbyAfter, printers }: Candidates<Printer>,
  now: Date,
): Printer[] {
  if (!enabled) return []
  if (policy === 'any') return printers.filter(({ reason }) => reason === null)
  const isPassed = ({ reason, since }: Printer) =>
    reason !== null && since !== null && since.getTime() + standbyAfter * 1000 <= now.getTime()
  const next = printers.find((printer) => !isPassed(printer))
  return next && next.reason === null ? [next] : []
}
