/** A calendar month in UTC. Reference: docs/reference/usage.md. */
export interface Period {
  start: Date
  /** Exclusive. */
  end: Date
}

export function getPeriod(time: Date): Period {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()]
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) }
}
