/** All waits of tests for real time, with length and reason. All other waits are for facts (`wait-for.ts`). */
import { setTimeout as sleep } from 'node:timers/promises'

const WAITS = {
  /** The absence of a print or event is not a fact to wait for. */
  'nothing comes': 300,
  /** A busy gateway is silent for more than four announcement intervals and less than 5 s. */
  'a busy gateway is silent': 1_200,
  /** Longer than an idle gateway needs, and less than the 1 s after which it counts as dead. */
  'a busy gateway answers': 300,
  /** Hostile servers send single bytes until the client closes the connection. */
  'a server drips': 20,
  /** A late response within its deadline of 3 s. */
  'a server is slow': 1_500,
  /** Between two chunks of a slow client, whose timeouts are at least 200 ms. */
  'a slow client': 10,
  /** An incomplete request may remain without a response. */
  'an incomplete request': 100,
} as const

export async function realWait(name: keyof typeof WAITS): Promise<void> {
  await sleep(WAITS[name])
}
