import { expect, test } from 'vitest'
import { toHeartbeatMs, toReconnectMs } from '../../uplink/durations.ts'

test.each([
  [0, 1_000, 0],
  [-1, 1_000, 0],
  [1, 1_000, 1],
  [300, 300_000, 300],
  [301, 300_000, 301],
  [3_600_000, 300_000, 3_600_000],
  [2 ** 31 - 1, 300_000, 3_600_000],
])(
  'the duration %i from the service is a heartbeat every %i ms and a reconnect after %i ms',
  (value, heartbeatMs, reconnectMs) => {
    expect([toHeartbeatMs(value), toReconnectMs(value)]).toEqual([heartbeatMs, reconnectMs])
  },
)
