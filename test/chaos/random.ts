/** Chance that a seed repeats. Everything that a chaos run chooses is drawn from here, so that a seed tells what was chosen. */
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { JumpableRandomGenerator } from 'pure-rand/types/JumpableRandomGenerator'
import { skipN } from 'pure-rand/utils/skipN'

export interface Random {
  /** Both ends included. */
  integer(from: number, to: number): number
  /** @param percent how often it says yes, of 100 times. */
  chance(percent: number): boolean
  pick<T>(of: readonly T[]): T
  shuffle<T>(of: readonly T[]): T[]
  /** A sequence of its own. What one user of chance draws does not change what another one gets. */
  fork(): Random
}

/** What seeds that lie close together have in common is gone after so many numbers. */
const WARM_UP = 64

export function seededRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed)
  skipN(generator, WARM_UP)
  return drawFrom(generator)
}

function drawFrom(generator: JumpableRandomGenerator): Random {
  const integer = (from: number, to: number) => uniformInt(generator, from, to)
  return {
    integer,
    chance: (percent) => integer(1, 100) <= percent,
    pick(of) {
      if (of.length === 0) throw new Error('nothing to pick from')
      return of[integer(0, of.length - 1)] as (typeof of)[number]
    },
    shuffle(of) {
      const shuffled = [...of]
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = integer(0, last)
        ;[shuffled[last], shuffled[other]] = [
          shuffled[other] as (typeof of)[number],
          shuffled[last] as (typeof of)[number],
        ]
      }
      return shuffled
    },
    fork() {
      // The child walks on from here; we go where it never comes.
      const child = generator.clone()
      generator.jump()
      return drawFrom(child)
    },
  }
}
