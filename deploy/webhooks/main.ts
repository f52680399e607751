/**
 * `npm run webhooks -- listen --key KEY --forward http://localhost:3000/hook`: follows the event feed of an installation and posts each
 * event, signed as a webhook is, to an address that only this machine has to reach. Prints the secret to verify with, then a line for
 * each event. Ctrl-C ends it.
 */
import { ConfigError } from '@platen/runtime/config.ts'
import { StartupError } from '../startup-error.ts'
import { type ListenOptions, parseArguments } from './arguments.ts'
import { followFeed } from './follow-feed.ts'
import { forward } from './forward.ts'

async function listen({ server, key, types, forward: to, secret }: ListenOptions, signal: AbortSignal): Promise<void> {
  console.log(`Events of ${server} from now on, forwarded to ${to.href}. Ctrl-C ends it.`)
  console.log(`Verify with the secret ${secret}`)
  const feed = { server, key, types, onTrouble: say, onceAgain: () => say('Going on.') }
  for await (const event of followFeed(feed, signal)) {
    const { outcome, durationMs } = await forward(event, { to, secret }, signal)
    say(`${event.type} ${event.id} ${outcome} ${Math.round(durationMs)} ms`)
  }
}

function say(text: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
try {
  await listen(parseArguments(process.argv.slice(2), process.env), stopping.signal)
} catch (error) {
  if (!stopping.signal.aborted) {
    if (!(error instanceof StartupError || error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
