/**
 * Receives the webhooks of a run, in the process of the run, so that no fault hits it. Uses TLS, because endpoints of
 * live mode must. The seed and the event decide the answer: the same event fails at the same endpoint in each run, and
 * at most twice.
 */
import { createHash } from 'node:crypto'
import type { ReceivedWebhook } from '../checker/history.ts'
import { waitFor } from '../harness/wait-for.ts'
import {
  type Answer,
  type Delivered,
  readReceiverTls,
  startWebhookReceiver,
  verify,
} from '../harness/webhook-receiver.ts'

const FAILING_PERCENT = 20
const FAILURES: readonly Answer[] = [503, 500, 'close', 302]
/** The answer to a few events only, because it pauses all deliveries to the endpoint. */
const THROTTLED: Answer = { status: 429, headers: { 'retry-after': '1' } }
const LATE_PERCENT = 5
const LATE_MS = 1_500
const REGISTER_TIMEOUT_MS = 3_000

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

export async function startReceiver(seed: number) {
  /** Endpoints by path. */
  const endpoints = new Map<string, { id: string; secret: string }>()
  const received: ReceivedWebhook[] = []
  const assertRegistered = (path: string) => {
    if (!endpoints.has(path)) throw new Error(`no endpoint has the path ${path}`)
  }
  const receiver = await startWebhookReceiver({
    tls: readReceiverTls(),
    async script(delivered, earlier) {
      // An endpoint that is created under load can get an event before its creator has the answer.
      await waitFor(() => assertRegistered(delivered.path), REGISTER_TIMEOUT_MS).catch(() => undefined)
      const answer = answerTo(seed, delivered, earlier)
      received.push(record(delivered, answer, endpoints.get(delivered.path)))
      return answer
    },
  })
  return {
    received,
    getUrl: (name: string) => `${receiver.url}/${name}`,
    /** From now on, requests are verified with the secret. */
    register: (name: string, endpoint: { id: string; secret: string }) => endpoints.set(`/${name}`, endpoint),
    stop: () => receiver.stop(),
  }
}

function answerTo(seed: number, { path, headers }: Delivered, earlier: number): Answer {
  const [draw = 0, failures = 0, kind = 0] = createHash('sha256')
    .update(`${seed} ${path} ${headers['webhook-id']}`)
    .digest()
  if (draw % 100 < FAILING_PERCENT && earlier < 1 + (failures % 2))
    return kind === 0 ? THROTTLED : (FAILURES[kind % FAILURES.length] ?? 503)
  return draw % 100 >= 100 - LATE_PERCENT ? { status: 200, delayMs: LATE_MS } : 204
}

function record(delivered: Delivered, answer: Answer, endpoint?: { id: string; secret: string }): ReceivedWebhook {
  const eventId = verifiedId(delivered, endpoint?.secret ?? '')
  return {
    endpoint: endpoint?.id ?? delivered.path,
    webhookId: delivered.headers['webhook-id'] ?? '',
    isSigned: eventId !== null,
    eventId,
    bodySha256: createHash('sha256').update(delivered.body).digest('hex'),
    atMs: delivered.atMs,
    status: typeof answer === 'object' ? answer.status : typeof answer === 'number' ? answer : null,
  }
}

/** @returns null if the secret did not sign the request. */
function verifiedId(delivered: Delivered, secret: string): string | null {
  try {
    return verify(delivered, secret).id
  } catch {
    return null
  }
}
