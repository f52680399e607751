/** Webhook receivers of tests: one server per worker and one path per endpoint. Records all requests. */
import type { Api } from '../harness/api.ts'
import {
  type Answer,
  type Delivered,
  type Script,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../harness/webhook-receiver.ts'
import { record } from './installation.ts'

/** In the network that the installation allows. */
export const HOOK_HOST = '127.9.8.7'
/** In the query of each URL, which must not appear in logs and spans. */
export const URL_CANARY = 'canary-url-7f3e'

let receiver: Promise<WebhookReceiver> | undefined
let paths = 0
const scripts = new Map<string, Script>()

export interface Hook {
  url: string
  requests(): Delivered[]
  answerBy(script: Script): void
}

/** @returns a new URL that answers 204, and its received requests. */
export async function newHook(): Promise<Hook> {
  receiver ??= startWebhookReceiver({ host: HOOK_HOST, script: answer })
  const { url, at } = await receiver
  const path = `/${++paths}?token=${URL_CANARY}`
  return { url: url + path, requests: () => at(path), answerBy: (script) => void scripts.set(path, script) }
}

/** A request as `test/history` reads it. */
export type RecordedWebhook = Delivered & { url: string; answered: Answer }

const answer: Script = async (request, earlier) => {
  const { url = '' } = (await receiver) ?? {}
  const answered = (await scripts.get(request.path)?.(request, earlier)) ?? 204
  const line: RecordedWebhook = { ...request, url: url + request.path, answered }
  record('webhooks', line)
  return answered
}

export interface Endpoint extends Hook {
  id: string
  secret: string
  /** The path of the resource. */
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: the endpoint as the API shows it
  shown: any
}

/** Registers a hook as an endpoint. */
export async function newEndpoint(api: Api, events: string[], facts: object = {}): Promise<Endpoint> {
  const hook = await newHook()
  const { status, body } = await api.post('/v1/webhooks', { url: hook.url, events, ...facts })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const { secret, ...shown } = body
  return { ...hook, id: body.id, secret, path: `/v1/webhooks/${body.id}`, shown }
}
