/**
 * The clock of the service, from the `Date` header of its answers. Ages are computed with it, because the clock of a
 * browser can be wrong.
 */

let offsetMs = 0

export function recordServerTime(response: Response): void {
  const date = Date.parse(response.headers.get('date') ?? '')
  // The header has whole seconds, so small differences are no fact.
  if (Number.isNaN(date)) return
  const difference = date + 500 - Date.now()
  offsetMs = Math.abs(difference) > 2_000 ? difference : 0
}

/** Milliseconds since 1970. */
export function serverNow(): number {
  return Date.now() + offsetMs
}
