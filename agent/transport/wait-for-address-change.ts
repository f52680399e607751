import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** Node has no event for it. A poll takes up to 0.3 ms, and a process can run hundreds of virtual agents. */
const POLL_MS = 2_000

/** Link-local addresses do not lead to the service. They change with each container that starts on the computer. */
const LINK_LOCAL = /^(fe80:|169\.254\.)/

/** Resolves with true when the computer has other addresses than now. @throws the signal's AbortError. */
export async function waitForAddressChange(signal: AbortSignal): Promise<true> {
  const before = readAddresses()
  do await sleep(POLL_MS, undefined, { signal })
  while (readAddresses() === before)
  return true
}

function readAddresses(): string {
  const all = Object.values(os.networkInterfaces()).flatMap((addresses = []) => addresses)
  const external = all.filter(({ internal, address }) => !internal && !LINK_LOCAL.test(address))
  return external
    .map(({ address }) => address)
    .toSorted()
    .join()
}
