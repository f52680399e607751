/** What the commands of this folder share. */

/** Ctrl-C ends a run in order, because paused processes must continue before they can end. The second one ends the process at once. */
export function abortOnSignal(): AbortSignal {
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => interrupted.abort(new Error(`ended by ${name}`)))
  return interrupted.signal
}

export function readInteger(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new Error(`${name} must be an integer from ${min} to ${max}`)
}
