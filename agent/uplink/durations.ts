/**
 * Durations from the service have bounds, because the agent does not trust it, and Node runs a timer above 2^31 ms
 * every millisecond.
 */
const HEARTBEAT_SECONDS = { min: 1, max: 300 }
const RECONNECT_MS = { min: 0, max: 60 * 60_000 }

const clamp = (value: number, { min, max }: { min: number; max: number }) => Math.min(Math.max(value, min), max)

export const toHeartbeatMs = (seconds: number): number => clamp(seconds, HEARTBEAT_SECONDS) * 1000

export const toReconnectMs = (afterMs: number): number => clamp(afterMs, RECONNECT_MS)
