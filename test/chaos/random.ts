/** Random choices that a seed repeats. A run draws everything from here. */
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { JumpableRandomGenerator } from 'pure-rand/types/JumpableRandomGenerator'
import { skipN } from 'pure-rand/utils/skipN'

export interface Random {
  /** Both ends included. */
  integer(from: number, to: number): number
  chance(percent: number): boolean
  pick<T>(of: readonly T[]): T
  shuffle<T>(of: readonly T[]): T[]
  /** An independent sequence. */
  fork(): Random
}

/** Removes what neighbouring seeds have in common. */
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
    shuffle: (of) =>
      of
        .map((item) => ({ item, order: integer(0, 0x7fff_ffff) }))
        .sort((a, b) => a.order - b.order)
        .map(({ item }) => item),
    fork() {
      const child = generator.clone()
      generator.jump()
      return drawFrom(child)
    },
  }
}
