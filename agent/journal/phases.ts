/**
 * How far the agent has come with a job. Each phase is durable before the step after it is taken, so that a restart at any
 * point knows what may have happened to paper.
 *
 * - `staged`: the document is on disk and checked. The server is asked for permission.
 * - `granted`: the server has given it. The spooler has heard nothing of the job yet.
 * - `handing`: written before the spooler is called. The spooler may have the job or not; if it does, the job is held there.
 * - `held`: the spooler has the job, under a known id, and does not print it.
 * - `releasing`: written before the release. The job may be held still, printing or printed.
 * - `released`: the spooler has taken the release. From here on the agent only watches.
 * - `done`, `error`: the outcome is known, or known to be unknowable. The spooler is not touched any more.
 * - `refused`: the server took the job back before the spooler heard of it. Printed only if it is sent and granted anew.
 *
 * A job that the server gives up goes to `refused` from where the spooler has not heard of it, else to `error` once the spooler has
 * removed it.
 */
export type Phase = 'staged' | 'granted' | 'handing' | 'held' | 'releasing' | 'released' | 'done' | 'error' | 'refused'

/** The edges. There is none back, but from `refused`: nothing that may have reached the spooler is handed over again. */
export const NEXT_PHASES: Record<Phase, readonly Phase[]> = {
  staged: ['granted', 'refused'],
  granted: ['handing', 'refused'],
  handing: ['held', 'released', 'error'],
  held: ['releasing', 'error'],
  releasing: ['released', 'error'],
  released: ['done', 'error'],
  done: [],
  error: [],
  refused: ['staged'],
}

/** The outcome is recorded: nothing is left to do for the job but to tell the server. */
export function hasEnded(phase: Phase): phase is 'done' | 'error' {
  return phase === 'done' || phase === 'error'
}
