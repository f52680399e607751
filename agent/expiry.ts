/**
 * The time until which a job may begin to print. The service sends the seconds that are left, because the clock of the
 * computer may be wrong. While the computer runs, its uptime alone counts, because the clock can be set at any time: a
 * computer without a battery clock starts with a wrong time. After a restart of the computer, the uptime and the clock
 * count, and the one that has advanced more decides.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number
  /** Milliseconds since the computer started, including sleep. */
  uptimeMs(): number
  /** Another one after each restart of the computer, where `uptimeMs` begins again. */
  bootId: string
  /** @throws the signal's AbortError. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const SYSTEM_CLOCK: Clock = {
  nowMs: () => Date.now(),
  uptimeMs: () => Math.floor(os.uptime() * 1000),
  bootId: readBootId(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
}

export interface Expiry {
  /** The end by `nowMs`. */
  expiresAtMs: number
  /** The end by `uptimeMs`. */
  expiresAtUptimeMs: number
  /** The boot of `expiresAtUptimeMs`. */
  bootId: string
}

export function toExpiry(clock: Clock, secondsLeft: number): Expiry {
  const leftMs = secondsLeft * 1000
  const { bootId } = clock
  return { expiresAtMs: clock.nowMs() + leftMs, expiresAtUptimeMs: clock.uptimeMs() + leftMs, bootId }
}

/** @returns 0 or less for an expired job. */
export function getMsLeft(clock: Clock, { expiresAtMs, expiresAtUptimeMs, bootId }: Expiry): number {
  const byUptimeMs = expiresAtUptimeMs - clock.uptimeMs()
  return bootId === clock.bootId ? byUptimeMs : Math.min(expiresAtMs - clock.nowMs(), byUptimeMs)
}

export const hasExpired = (clock: Clock, expiry: Expiry): boolean => getMsLeft(clock, expiry) <= 0

/**
 * Only Linux has such an id. Elsewhere each process has its own, so that a restart of the agent counts as one of the
 * computer.
 */
function readBootId(): string {
  if (process.platform !== 'linux') return randomUUID()
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return randomUUID()
  }
}
