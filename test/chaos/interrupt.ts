/** Ctrl-C while a system runs: what is paused must go on before it can end, so a run ends itself. Called by each `main` of chaos runs. */

/** @returns a signal that is aborted by the first SIGINT or SIGTERM; the second one ends this process as usual. */
export function abortWhenInterrupted(): AbortSignal {
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => interrupted.abort(new Error(`ended by ${name}`)))
  return interrupted.signal
}
