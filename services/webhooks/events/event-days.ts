/** The days in which events, deliveries and attempts are kept: their ids are UUIDv7, which begin with the time, so each id lies in one day. */

const DAY_MS = 24 * 60 * 60 * 1000

/** A UTC day, by its beginning. */
export const dayOf = (time: Date) => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS)

export const addDays = (day: Date, days: number) => new Date(day.getTime() + days * DAY_MS)

/** `20260302`, as the tables of a day are named: `event_20260302`. */
export const dayName = (day: Date) => day.toISOString().slice(0, 10).replaceAll('-', '')

/** @returns undefined for what is no day's name. */
export function dayNamed(name: string): Date | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  return year ? new Date(`${year}-${month}-${day}T00:00:00Z`) : undefined
}

/** Not above any UUIDv7 that was made at this time or later, and above every earlier one. */
export function lowestId(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
