import { create } from '@bufbuild/protobuf'
import { WorkTimesSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { toServerTimes } from '../../agents/job-spans.ts'

const SENT_AT = 1_000_000
const ARRIVED_AT = SENT_AT + 500

test.each<[what: string, msAgo: [number, number | undefined, number], after: [number, number | undefined, number]]>([
  ['between the sending and the report', [450, 300, 100], [50, 200, 400]],
  ['without a hand-over', [450, undefined, 100], [50, undefined, 400]],
  ['before the sending', [2 ** 32 - 1, 501, 500], [0, 0, 0]],
  ['by a clock that was set back', [100, 300, 450], [400, 400, 400]],
  ['by a clock that was set forward', [2 ** 32 - 1, 300, 0], [0, 200, 500]],
])('times of an agent %s are moved between the sending and the report, in their order', (_, msAgo, after) => {
  proves('agent.bounds.times')
  const [receivedMsAgo, handedOverMsAgo, endedMsAgo] = msAgo
  const times = create(WorkTimesSchema, { receivedMsAgo, handedOverMsAgo, endedMsAgo })
  const { receivedAt, handedOverAt, endedAt } = toServerTimes(times, new Date(SENT_AT), new Date(ARRIVED_AT))
  expect([receivedAt, handedOverAt, endedAt].map((time) => time && time.getTime() - SENT_AT)).toEqual(after)
})

test('a job that was sent by a clock ahead of this one was received when its report arrived', () => {
  const { receivedAt, endedAt } = toServerTimes(create(WorkTimesSchema), new Date(ARRIVED_AT + 1), new Date(ARRIVED_AT))
  expect([receivedAt, endedAt]).toEqual([new Date(ARRIVED_AT), new Date(ARRIVED_AT)])
})
