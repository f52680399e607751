/** Parts of sentences. */
import { shorten } from './to-facts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** The length of a message of an agent or a server in a text, in UTF-16 units. */
const MESSAGE_LENGTH_MAX = 100

/** `2 h 7 min`; the two largest units. */
export function toDuration(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.floor(ms / 1000))} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ${Math.floor((ms % HOUR_MS) / MINUTE_MS)} min`
  return `${Math.floor(ms / DAY_MS)} d ${Math.floor((ms % DAY_MS) / HOUR_MS)} h`
}

export const countJobs = (count: number) => (count === 1 ? '1 earlier job' : `${count} earlier jobs`)

/** `2026-03-02 09:30 UTC`. */
export const toTime = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/**
 * Replaces `{printer}`, `{computer}`, `{queue}`, `{endpoint}` and `{message}`. A sentence that ends with the message
 * ends with a period.
 */
export function fillIn(
  text: string,
  names: { printer: string; computer: string; queue?: string; endpoint?: string },
  message = '',
): string {
  const shown = message ? shorten(message, MESSAGE_LENGTH_MAX) : 'no further message'
  const values: Record<string, string> = { queue: names.printer, ...names, message: shown }
  const filled = text.replaceAll(
    /\{(printer|computer|queue|endpoint|message)\}/g,
    (_, name: string) => values[name] ?? '',
  )
  return /[.!?…]$/.test(filled) ? filled : `${filled}.`
}

/** A sentence without its message: of several jobs, whose messages can differ. */
export const withoutMessage = (text: string) => text.replace(/:? \{message\}$/, '')
