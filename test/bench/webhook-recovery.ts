/**
 * `npm run bench -- webhook-recovery`: how soon events arrive at a receiver that takes 5 requests a second, and at one
 * that was down for 40 s. Takes three minutes.
 */
import { v7 as uuidv7 } from 'uuid'
import { waitFor } from '../harness/wait-for.ts'
import { type Figures, printTable } from './report.ts'
import { startWebhookInstallation, type WebhookInstallation } from './webhook-installation.ts'

const LIMITED_EVENTS = 300
const DOWN_EVENTS = 100
const ARRIVAL_LIMIT_MS = 10 * 60_000

export async function benchWebhookRecovery(): Promise<void> {
  console.log('starting …')
  const installation = await startWebhookInstallation()
  try {
    const figures: Figures = {}
    for (const [path, events] of Object.entries({ '/limited': LIMITED_EVENTS, '/down': DOWN_EVENTS })) {
      console.log(`${path} …`)
      const { elapsedMs, refused } = await deliver(installation, path, events)
      figures[`seconds until ${events} events arrived at ${path}`] = Number((elapsedMs / 1_000).toFixed(1))
      figures[`refused requests of ${path}`] = refused
    }
    printTable(figures)
  } finally {
    await installation.stop()
  }
}

async function deliver(installation: WebhookInstallation, path: string, events: number) {
  const organizationId = uuidv7()
  await installation.addEndpoint(organizationId, path)
  const startedAt = performance.timeOrigin + performance.now()
  await installation.publish(organizationId, events)
  const requests = () => installation.arrivals.filter((arrival) => arrival.path === path)
  await waitFor(() => {
    const accepted = new Set(requests().flatMap(({ eventId, isRefused }) => (isRefused ? [] : eventId))).size
    if (accepted < events) throw new Error(`only ${accepted} of ${events} events arrived at ${path}`)
  }, ARRIVAL_LIMIT_MS)
  return {
    elapsedMs: (requests().at(-1)?.at ?? Number.NaN) - startedAt,
    refused: requests().filter(({ isRefused }) => isRefused).length,
  }
}
