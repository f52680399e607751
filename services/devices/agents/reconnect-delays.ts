/** Hellos of the agents of a stopping replica, which all reconnect. */
const HELLOS_PER_SECOND = 500

/**
 * @param drainMs the time that the stop may take. The agents have half of it, so with many of them the rate is higher.
 * @returns when each agent reconnects, in milliseconds. Evenly, because at random times more of them would return in
 *   some second.
 */
export function toReconnectDelays(agents: number, drainMs: number): number[] {
  const spreadMs = Math.min(drainMs / 2, (agents / HELLOS_PER_SECOND) * 1_000)
  return Array.from({ length: agents }, (_, n) => Math.floor((n * spreadMs) / agents))
}
