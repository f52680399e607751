/** Every wait of a test for real time, with its length and its reason. All other waits are for facts (`wait-for.ts`). */
import { setTimeout as sleep } from 'node:timers/promises'

const WAITS = {
  /** A print or an event that must not come has no fact to wait for. */
  'nothing comes': 300,
  /** A busy gateway is silent for longer than four of its announcements take, and for less than 5 s. */
  'a busy gateway is silent': 1_200,
  /** Longer than an idle gateway takes, and less than the 1 s after which it counts as gone. */
  'a busy gateway answers': 300,
  /** Hostile servers send a byte at a time, until the client closes the connection. */
  'a server drips': 20,
  /** An answer that arrives late, but within its deadline of 3 s. */
  'a server is slow': 1_500,
  /** Between two pieces of a client that sends slowly, whose limits are 200 ms and more. */
  'a slow client': 10,
  /** Half a request may rightly be left without an answer. */
  'an incomplete request': 100,
} as const

export async function realWait(name: keyof typeof WAITS): Promise<void> {
  await sleep(WAITS[name])
}
