/**
 * Runs work of organizations in turn: those that wait are served one after the other, whatever the number of calls that
 * each of them makes. For what all organizations of a process share, such as processes that draw.
 */
import pLimit, { type LimitFunction } from 'p-limit'

export type Turns = <Result>(ownerId: string, work: () => Promise<Result>) => Promise<Result>

export interface TurnsOptions {
  /** The number of all owners. */
  atOnce: number
  /** Less than `atOnce`, so that an owner leaves something to others. Default: 1. */
  perOwner?: number
}

/**
 * Each owner has at most `perOwner` calls in the common queue, so that a new owner waits for one call of each other
 * one.
 */
export function createTurns({ atOnce, perOwner = 1 }: TurnsOptions): Turns {
  const all = pLimit(atOnce)
  const owners = new Map<string, LimitFunction>()

  return async (ownerId, work) => {
    const own = owners.get(ownerId) ?? pLimit(perOwner)
    owners.set(ownerId, own)
    try {
      return await own(() => all(work))
    } finally {
      if (own.activeCount + own.pendingCount === 0) owners.delete(ownerId)
    }
  }
}
