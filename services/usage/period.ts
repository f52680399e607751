/** Source: decisions, "Identity and limits": the period is the calendar month, UTC. */
export interface Period {
  start: Date
  /** Exclusive. */
  end: Date
}

export function periodAt(time: Date): Period {
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()]
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) }
}
