/**
 * The phases of a job in the agent. Each phase is durable before the next step, so that a restart at any point knows
 * what may have been printed.
 *
 * - `staged`: the document is on disk and checked, or does not fit on it. The agent requests permission from the
 *   server.
 * - `granted`: permission was granted. A document that did not fit is downloaded now. Nothing was sent to the spooler
 *   yet.
 * - `handing`: written before the spooler is called. The spooler may have the job or not; if it does, the job is held
 *   there.
 * - `held`: the spooler has the job with a known id and does not print it.
 * - `releasing`: written before the release. The job may still be held, be printing or be printed.
 * - `released`: the spooler has accepted the release. From now on the agent only watches.
 * - `done`, `error`: the outcome is known or cannot be determined. The spooler is no longer called.
 * - `refused`: the server refused the job before the hand-over. Printed only if it is sent and granted again.
 *
 * A job that expires before it is released becomes `error`. A job that the server removes becomes `refused` before the
 * hand-over, and `error` after the spooler has removed it.
 */
export type Phase = 'staged' | 'granted' | 'handing' | 'held' | 'releasing' | 'released' | 'done' | 'error' | 'refused'

/**
 * Allowed transitions. Only `refused` can restart: a job that may have reached the spooler is never handed over again.
 */
export const NEXT_PHASES: Record<Phase, readonly Phase[]> = {
  staged: ['granted', 'refused'],
  granted: ['handing', 'refused', 'error'],
  handing: ['held', 'released', 'error'],
  held: ['releasing', 'error'],
  releasing: ['released', 'error'],
  released: ['done', 'error'],
  done: [],
  error: [],
  refused: ['staged'],
}

/** Whether the outcome is recorded. Only its report remains. */
export function hasEnded(phase: Phase): phase is 'done' | 'error' {
  return phase === 'done' || phase === 'error'
}
