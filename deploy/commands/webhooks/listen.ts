/** Follows the feed and forwards each event. Called by `main.ts`. */
import type { ListenOptions } from './arguments.ts'
import { followFeed } from './follow-feed.ts'
import { forward } from './forward.ts'

/**
 * Returns when `signal` is aborted.
 *
 * @throws StartupError if the server, the key or the types are invalid.
 */
export async function listen(
  { server, key, types, forward: to, secret }: ListenOptions,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<void> {
  const printWithTime = (text: string) => print(`${new Date().toISOString().slice(11, 19)} ${text}`)
  print(`Forwarding new events of ${server} to ${to.href}. Stop with Ctrl-C.`)
  print(`The secret for verification is ${secret}`)
  const feed = {
    server,
    key,
    types,
    onFailed: printWithTime,
    onRecovered: () => printWithTime('The server responds again.'),
  }
  for await (const event of followFeed(feed, signal)) {
    const { outcome, durationMs } = await forward(event, { to, secret }, signal)
    printWithTime(`${event.type} ${event.id} ${outcome} ${Math.round(durationMs)} ms`)
  }
}
