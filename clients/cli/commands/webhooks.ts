import { readFileSync } from 'node:fs'
import { type Event, verifyWebhook, type WebhookEndpoint, WebhookVerificationError } from '@platen/sdk'
import type { Command } from 'commander'
import { connect } from '../config.ts'
import { EXIT, Failure } from '../exit-codes.ts'
import { listen } from '../listen.ts'
import { inform, type OutputOptions, print, printFields, printOne, printRows } from '../output.ts'
import { collect } from '../parse.ts'
import { readFirst } from '../read-first.ts'

interface Settings extends OutputOptions {
  profile?: string
  url: string
  type?: Event['type'][]
  description?: string
  forward: string
  since: string
  until?: string
  id: string
  timestamp: string
  signature: string
}

export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('show, create and test webhook endpoints')
  const getSettings = (command: Command) => command.optsWithGlobals<Settings>()

  webhooks
    .command('list')
    .description('all endpoints; the key needs the scope admin')
    .action(async (_, command: Command) => {
      const settings = getSettings(command)
      const rows = await readFirst(connect(settings.profile).webhooks.list(), Number.POSITIVE_INFINITY)
      const columns = [
        { title: 'id', get: ({ id }: WebhookEndpoint) => id },
        { title: 'enabled', get: ({ enabled }: WebhookEndpoint) => enabled },
        { title: 'url', get: ({ url }: WebhookEndpoint) => url },
        { title: 'events', get: ({ events }: WebhookEndpoint) => events.join(',') },
      ]
      printRows(rows, columns, settings)
    })

  webhooks
    .command('create')
    .description('a new endpoint; prints its secret, which is not shown again')
    .requiredOption('--url <url>')
    .requiredOption('-t, --type <type>', 'an event type; can be repeated', collect)
    .option('--description <text>', 'your notes')
    .action(async (_, command: Command) => {
      const { url, type = [], description, ...settings } = getSettings(command)
      printFields(await connect(settings.profile).webhooks.create({ url, events: type, description }), settings)
    })

  webhooks
    .command('listen')
    .description('post new events, signed like webhooks, to a URL that only this computer can reach; until Ctrl-C')
    .requiredOption('--forward <url>', 'for example http://localhost:3000/hook')
    .option('-t, --type <type>', 'only events of this type, for example printjob.*; can be repeated', collect)
    .addHelpText('after', '\nWEBHOOK_SECRET is the secret that signs. Default: a new one.')
    .action(async (_, command: Command) => {
      const { forward, type, profile } = getSettings(command)
      await listen(connect(profile), { forward, types: type, secret: process.env.WEBHOOK_SECRET })
    })

  webhooks
    .command('replay')
    .description('deliver failed and missed deliveries of an endpoint again')
    .argument('<endpoint>', 'its id')
    .requiredOption('--since <time>', 'for example 2026-03-02T09:00:00Z')
    .option('--until <time>')
    .action(async (endpoint: string, _, command: Command) => {
      const { since, until, ...settings } = getSettings(command)
      const result = await connect(settings.profile).webhooks.replay(endpoint, { since, until })
      printOne(result, settings, ({ replayed }) => String(replayed))
      // An older service has none.
      for (const gap of result.gaps ?? [])
        inform(`The endpoint was disabled: events from ${gap.since} to ${gap.until} have no deliveries.`)
    })

  webhooks
    .command('verify')
    .description('check the signature of a received body, with the secret in WEBHOOK_SECRET')
    .argument('[file]', 'the body as it was received', '-')
    .requiredOption('--id <webhook-id>', 'the header of this name')
    .requiredOption('--timestamp <webhook-timestamp>', 'the header of this name')
    .requiredOption('--signature <webhook-signature>', 'the header of this name')
    .action(async (file: string, _, command: Command) => await verify(file, getSettings(command)))
}

async function verify(file: string, { id, timestamp, signature, json }: Settings): Promise<void> {
  const { WEBHOOK_SECRET } = process.env
  if (!WEBHOOK_SECRET) throw new Failure('Set WEBHOOK_SECRET to the secret of the endpoint.', EXIT.usage)
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  try {
    const body = new Uint8Array(readFileSync(file === '-' ? process.stdin.fd : file))
    const event = await verifyWebhook(body, headers, WEBHOOK_SECRET)
    print(json ? JSON.stringify(event) : `${event.type}\t${event.id}`)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    inform(error.message)
    process.exitCode = EXIT.error
  }
}
