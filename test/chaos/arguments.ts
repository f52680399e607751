/** What `npm run test:chaos --` may be followed by. */
import { parseArgs } from 'node:util'
import { PLANTED_BUGS } from './planted/bugs.ts'

export interface ChaosArguments {
  seeds: number[]
  replicas: 1 | 2
  /** How long the load runs and faults begin. */
  seconds: number
  /** Histories and logs of good seeds are kept, too. */
  keep: boolean
  /** Name of a bug to plant: `planted/bugs.ts`. */
  plant?: string
}

/** An `Error` whose message is one sentence for the one who typed it. */
export class WrongArguments extends Error {}

const USAGE =
  'npm run test:chaos -- [--seeds 10] [--first-seed 1 | --seed 7] [--replicas 1 | 2] [--seconds 20] [--plant bug] [--keep]'

/** The generator takes 32 bits. */
const LAST_SEED = 2 ** 31 - 1
const DEFAULT_SEEDS = 10
const DEFAULT_SECONDS = 20

/** @throws WrongArguments */
export function readArguments(args: string[]): ChaosArguments {
  const { seeds, 'first-seed': first, seed, replicas, seconds, keep, plant } = parse(args)
  if (seed !== undefined && (seeds !== undefined || first !== undefined))
    throw new WrongArguments('--seed runs one seed, so it goes with neither --seeds nor --first-seed.')
  const [firstName, firstText, count] =
    seed === undefined
      ? (['--first-seed', first, integer('--seeds', seeds, DEFAULT_SEEDS, 1, 10_000)] as const)
      : (['--seed', seed, 1] as const)
  const firstSeed = integer(firstName, firstText, 1, 0, LAST_SEED)
  return {
    seeds: Array.from({ length: count }, (_, n) => firstSeed + n),
    replicas: integer('--replicas', replicas, 2, 1, 2) === 1 ? 1 : 2,
    seconds: integer('--seconds', seconds, DEFAULT_SECONDS, 5, 3_600),
    keep: keep ?? false,
    ...(plant === undefined ? {} : { plant: bugNamed(plant) }),
  }
}

function parse(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seeds: { type: 'string' },
        'first-seed': { type: 'string' },
        seed: { type: 'string' },
        replicas: { type: 'string' },
        seconds: { type: 'string' },
        plant: { type: 'string' },
        keep: { type: 'boolean' },
      },
    })
    return values
  } catch (error) {
    throw new WrongArguments(`Use it so: ${USAGE}.`, { cause: error })
  }
}

function bugNamed(name: string): string {
  if (PLANTED_BUGS.some((bug) => bug.name === name)) return name
  throw new WrongArguments(`--plant must name one of ${PLANTED_BUGS.map((bug) => bug.name).join(', ')}.`)
}

function integer(name: string, text: string | undefined, otherwise: number, min: number, max: number): number {
  if (text === undefined) return otherwise
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new WrongArguments(`${name} must be an integer from ${min} to ${max}, and is ${JSON.stringify(text)}.`)
}
