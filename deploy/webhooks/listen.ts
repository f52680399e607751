/** Follows the feed and forwards each event. Called by `main.ts`. */
import type { ListenOptions } from './arguments.ts'
import { followFeed } from './follow-feed.ts'
import { forward } from './forward.ts'

/**
 * Comes back when `signal` is aborted.
 *
 * @throws StartupError if the server, the key or the types are wrong.
 */
export async function listen(
  { server, key, types, forward: to, secret }: ListenOptions,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<void> {
  const say = (text: string) => print(`${new Date().toISOString().slice(11, 19)} ${text}`)
  print(`Events of ${server} from now on, forwarded to ${to.href}. Ctrl-C ends it.`)
  print(`Verify with the secret ${secret}`)
  const feed = { server, key, types, onTrouble: say, onceAgain: () => say('Going on.') }
  for await (const event of followFeed(feed, signal)) {
    const { outcome, durationMs } = await forward(event, { to, secret }, signal)
    say(`${event.type} ${event.id} ${outcome} ${Math.round(durationMs)} ms`)
  }
}
