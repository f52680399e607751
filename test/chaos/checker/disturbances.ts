/**
 * Until when a fault may have held something up. What a correct system does at once, it does by then at the latest; rules that
 * need a limit of time take it from here, and rather say nothing than blame the system for what a fault did.
 */
import type { InjectedFault } from '../history.ts'

/** What a loaded machine may take for something that is done at once; also for getting over a fault. */
export const AT_ONCE_MS = 15_000

/** @returns when what was due at `dueAtMs` has happened, all faults considered that can have held it up one after the other. */
export function doneBy(faults: InjectedFault[], dueAtMs: number): number {
  let endMs = dueAtMs + AT_ONCE_MS
  for (const fault of faults.toSorted((a, b) => a.startedAtMs - b.startedAtMs))
    if (fault.startedAtMs <= endMs && fault.endedAtMs >= dueAtMs) endMs = Math.max(endMs, fault.endedAtMs + AT_ONCE_MS)
  return endMs
}

/** Any fault that was there, or had its aftermath, in this time. */
export function isDisturbed(faults: InjectedFault[], fromMs: number, toMs: number): boolean {
  return faults.some((fault) => fault.startedAtMs <= toMs && fault.endedAtMs + AT_ONCE_MS >= fromMs)
}

/** The server drops a connection that it could not write to for 10 s, also because it was paused itself; half of that is safe. */
const SAFE_PAUSE_MS = 5_000

/**
 * What can have made a listener lose messages: the server went away, or was paused for so long that it drops its connections. Not a
 * link to it, for the listener uses none.
 */
export function natsFaults(faults: InjectedFault[]): InjectedFault[] {
  return faults.filter(({ kind, target, startedAtMs, endedAtMs }) => {
    const isShortPause = kind === 'pause' && endedAtMs - startedAtMs < SAFE_PAUSE_MS
    return (/nats/i.test(kind) || /^nats/i.test(target)) && !isShortPause
  })
}
