/**
 * `npm run webhooks -- listen --forward http://localhost:3000/hook`: follows the event feed of an installation and posts each
 * event, signed like a webhook, to a URL that only this machine can reach. Prints the secret for verification, then one line per event.
 * Stops with Ctrl-C.
 */
import { ConfigError } from '@platen/runtime/config.ts'
import { StartupError } from '../../launcher/startup-error.ts'
import { parseArguments } from './arguments.ts'
import { listen } from './listen.ts'

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
try {
  await listen(parseArguments(process.argv.slice(2), process.env), stopping.signal, console.log)
} catch (error) {
  if (!stopping.signal.aborted) {
    if (!(error instanceof StartupError || error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
