import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import type { Answer } from './ask-replicas.ts'
import { type Finding, ok, problem } from './finding.ts'

const DIFFERENCE_MAX_MS = 1_000

interface Clock {
  name: string
  /** Limits of the difference to the clock of this machine. The time that the request took is their distance. */
  minMs: number
  maxMs: number
}

/** Finds only a difference that the duration of the requests cannot explain. */
export function findClocks(answers: Answer[]): Finding {
  const clocks = [{ name: 'this machine', minMs: 0, maxMs: 0 }, ...answers.map(toClock)]
  const fast = clocks.reduce((a, b) => (b.minMs > a.minMs ? b : a))
  const slow = clocks.reduce((a, b) => (b.maxMs < a.maxMs ? b : a))
  const differenceMs = fast.minMs - slow.maxMs
  if (differenceMs <= DIFFERENCE_MAX_MS) return ok('clocks differ by less than 1 s')
  return problem(
    `the clock of ${fast.name} is ${(differenceMs / 1000).toFixed(1)} s ahead of that of ${slow.name}`,
    'Synchronize the clocks of these machines by NTP.',
  )
}

function toClock({ response, sentAtMs, receivedAtMs }: Answer): Clock {
  return {
    name: response.instance,
    minMs: toMs(response.answeredAt) - receivedAtMs,
    maxMs: toMs(response.receivedAt) - sentAtMs,
  }
}

const toMs = (at: Timestamp | undefined) => (at ? timestampMs(at) : 0)
