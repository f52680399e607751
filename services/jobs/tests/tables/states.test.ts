import { readFileSync } from 'node:fs'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { TRANSITIONS } from '../../states.ts'

const PAGE = readFileSync(new URL('../../../../docs/reference/print-jobs.md', import.meta.url), 'utf8')
const EDGES = Object.entries(TRANSITIONS).flatMap(([trigger, { from, to }]) =>
  from.map((state) => `edge.${state}.${trigger.replace('timeOut', 'time-out')}.${to}`),
)

// `edge/change-state.server.test.ts` proves the transitions on PostgreSQL.
test('the transitions are those of the reference, and no others', () => {
  proves(...EDGES, 'final.no-edge', 'no-edge.received.cancel', 'no-edge.printing.cancel', 'no-edge.received.expire')
  const rows = [...PAGE.matchAll(/^\| `(\w+)` \| ([a-z ]+) \| `(\w+)` \|/gm)].map(
    ([, from, trigger = '', to]) => `edge.${from}.${trigger.replace(' ', '-')}.${to}`,
  )
  // Another name of `fail`, for its cause.
  expect([...EDGES, 'edge.queued.fetch-failure.error'].toSorted()).toEqual(rows.toSorted())
})
