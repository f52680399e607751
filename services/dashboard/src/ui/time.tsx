import { useSyncExternalStore } from 'react'
import { serverNow } from '../api/server-time.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = serverNow()

/** One timer for all ages of the page. */
function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = serverNow()
    for (const each of listeners) each()
  }, SECOND)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Milliseconds by the clock of the service. Changes every second, or in the steps of `stepMs`. */
export function useNow(stepMs = SECOND): number {
  return useSyncExternalStore(subscribe, () => Math.floor(now / stepMs) * stepMs)
}

export const formatSeconds = (seconds: number): string => formatDuration(seconds * 1_000)

/** "850 ms", "4.2 s", "3 min 5 s", "2 h 7 min", "3 d 4 h" */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 10 * SECOND) return `${(ms / SECOND).toFixed(1)} s`
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return parts(ms, MINUTE, 'min', SECOND, 's')
  if (ms < DAY) return parts(ms, HOUR, 'h', MINUTE, 'min')
  return parts(ms, DAY, 'd', HOUR, 'h')
}

function parts(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small)
  return `${Math.floor(ms / large)} ${largeUnit}${rest > 0 ? ` ${rest} ${smallUnit}` : ''}`
}

/** "now", "12 s", "5 min", "3 h", "2 d" */
export function formatAge(ms: number): string {
  if (ms < 2 * SECOND) return 'now'
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`
  return `${Math.floor(ms / DAY)} d`
}

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
})
const SHORT = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false })
const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const DATE_OF_YEAR = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
/** Days that are further away have their year. */
const HALF_A_YEAR = 180 * DAY

/** "13:05:02.114", for timelines. */
export function formatMilliseconds(time: string): string {
  const date = new Date(time)
  return `${CLOCK.format(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** "13:05", with the date if it is not today: "26 Nov, 13:05". @param isDated with the date in any case. */
export function formatClock(time: string | number, isDated = false): string {
  const date = new Date(time)
  const now = new Date(serverNow())
  if (!isDated && date.toDateString() === now.toDateString()) return SHORT.format(date)
  const format = Math.abs(now.getTime() - date.getTime()) > HALF_A_YEAR ? DATE_OF_YEAR : DATE
  return `${format.format(date)}, ${SHORT.format(date)}`
}

export const formatDay = (time: string) => DATE.format(new Date(time))

export const formatFull = (time: string) => FULL.format(new Date(time))

/** How long ago, and the time itself on hover. @param isPast writes "5 min ago", for sentences. */
export function Age({ time, isPast = false }: { time: string; isPast?: boolean }) {
  const at = Date.parse(time)
  const age = useNow() - at
  return (
    <time dateTime={time} title={formatFull(time)}>
      {formatAge(age)}
      {isPast && age >= 2 * SECOND && ' ago'}
    </time>
  )
}

/** "2027-01-31", for days of other years. */
export function Day({ time }: { time: string }) {
  return (
    <time dateTime={time} title={formatFull(time)}>
      {time.slice(0, 10)}
    </time>
  )
}

/** The time itself. @param isDated with its date, also of today. */
export function Clock({ time, isDated = false }: { time: string; isDated?: boolean }) {
  return (
    <time dateTime={time} title={formatFull(time)}>
      {formatClock(time, isDated)}
    </time>
  )
}

/** A sentence of dialogs that revoke a secret. @param time null: never. */
export function LastUse({ time }: { time: string | null }) {
  return (
    <p className="font-medium">
      {time ? (
        <>
          Last used <Age time={time} isPast />
        </>
      ) : (
        'It was never used.'
      )}
    </p>
  )
}
