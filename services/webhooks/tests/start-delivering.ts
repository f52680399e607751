import { type Script, startWebhookReceiver } from '@platen/test/harness/webhook-receiver.ts'
import { onTestFinished } from 'vitest'
import { addEndpoint } from './delivery-rows.ts'
import { startTestWebhooks } from './start-test-webhooks.ts'

/** The service, a receiver, and an endpoint that leads there. */
export async function startDelivering({
  script,
  ...options
}: Parameters<typeof startTestWebhooks>[0] & { script?: Script } = {}) {
  const webhooks = await startTestWebhooks(options)
  const receiver = await startWebhookReceiver({ script })
  onTestFinished(() => receiver.stop())
  const endpoint = await addEndpoint(webhooks, { url: `${receiver.url}/hook?token=1` })
  return { webhooks, receiver, endpoint, received: receiver.received }
}
