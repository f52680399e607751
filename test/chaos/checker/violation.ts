/** What the checker says of a history that no correct run can leave behind. */
export interface Violation {
  /** Of the list in `check-history.ts`: "S4". */
  invariant: string
  /** What it is about: the id of a job, an event or a computer, a marker, a consumer. */
  subject: string
  /** A sentence for a person. */
  says: string
  /**
   * - `lost`: something that was promised is not there.
   * - `doubled`: something that happens once happened again.
   * - `illegal`: something happened that may not.
   * - `stuck`: something that must come to an end did not.
   */
  kind: 'lost' | 'doubled' | 'illegal' | 'stuck' | 'other'
}

/** Gives the violations of one invariant their name. */
export function violationOf(invariant: string) {
  return (kind: Violation['kind'], subject: string, says: string): Violation => ({ invariant, subject, says, kind })
}
