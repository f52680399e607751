/**
 * The time until which a job may begin to print. The service sends the seconds that are left, because the clock of the computer may be
 * wrong. The agent counts them by two clocks, and the one that has advanced more decides: the uptime counts while the computer sleeps and when
 * the wall clock is set back, and the wall clock counts while the computer restarts.
 */
import os from 'node:os'

export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number
  /** Milliseconds since the computer started, including sleep. */
  uptimeMs(): number
}

export const SYSTEM_CLOCK: Clock = {
  nowMs: () => Date.now(),
  uptimeMs: () => Math.floor(os.uptime() * 1000),
}

export interface Expiry {
  /** By `nowMs`. */
  expiresAtMs: number
  /** By `uptimeMs`. */
  expiresAtUptimeMs: number
}

export function toExpiry(clock: Clock, secondsLeft: number): Expiry {
  const leftMs = secondsLeft * 1000
  return { expiresAtMs: clock.nowMs() + leftMs, expiresAtUptimeMs: clock.uptimeMs() + leftMs }
}

/** @returns 0 or less for an expired job. */
export function getMsLeft(clock: Clock, { expiresAtMs, expiresAtUptimeMs }: Expiry): number {
  return Math.min(expiresAtMs - clock.nowMs(), expiresAtUptimeMs - clock.uptimeMs())
}

export const hasExpired = (clock: Clock, expiry: Expiry): boolean => getMsLeft(clock, expiry) <= 0
