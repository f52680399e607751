/**
 * `npm run -s rotate -- webhook-key`: encrypts stored data of a running installation with the first key of a list, so that the other keys can
 * be removed. Prints one line of JSON. `-s` suppresses the output of npm.
 */

import { StartupError } from '../../launcher/startup-error.ts'
import { runCommand } from '../run-command.ts'
import { withServices } from '../with-services.ts'
import { rotateWebhookKey } from './webhook-key.ts'

await runCommand(async (args) => {
  if (args.join(' ') !== 'webhook-key') throw new StartupError('Usage: npm run -s rotate -- webhook-key')
  return JSON.stringify(await withServices(process.env, rotateWebhookKey))
})
