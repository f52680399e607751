/**
 * Where the webhooks of a run are delivered to: one server in the process of the harness, which is no victim of faults, so that what it got
 * is known whatever fails. It speaks TLS, since endpoints of live mode must. Started by `run-seed.ts`.
 *
 * How it answers follows from what it is asked: the same event fails at the same endpoint in each run of a seed, and never for good.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Answer, type Delivered, startWebhookReceiver, verify } from '../../harness/webhook-receiver.ts'
import type { ReceivedWebhook } from '../history.ts'

/** A certificate for 127.0.0.1 that secures nothing but tests. Valid until 2126. */
const CERTIFICATE = join(import.meta.dirname, 'receiver-certificate.pem')
const KEY = join(import.meta.dirname, 'receiver-key.pem')
const HOST = '127.0.0.1'

export interface Hooks {
  /** For the webhooks service: to get there, and to trust it. */
  env: { PLATEN_ALLOWED_NETWORKS: string; NODE_EXTRA_CA_CERTS: string }
  /** @returns the URL of an endpoint of this name. */
  urlOf(name: string): string
  /** From then on what comes to it is verified by its secret. */
  know(name: string, endpoint: { id: string; secret: string }): void
  received: ReceivedWebhook[]
  stop(): Promise<void>
}

export async function startHooks(seed: number): Promise<Hooks> {
  const endpoints = new Map<string, { id: string; secret: string }>()
  const received: ReceivedWebhook[] = []
  const receiver = await startWebhookReceiver({
    host: HOST,
    tls: { cert: await readFile(CERTIFICATE, 'utf8'), key: await readFile(KEY, 'utf8') },
    script(delivered, earlier) {
      const answer = answerTo(seed, delivered, earlier)
      received.push(readDelivered(delivered, endpoints.get(delivered.path), answer))
      return answer
    },
  })
  return {
    env: { PLATEN_ALLOWED_NETWORKS: `${HOST}/32`, NODE_EXTRA_CA_CERTS: CERTIFICATE },
    urlOf: (name) => `${receiver.url}/${name}`,
    know: (name, endpoint) => void endpoints.set(`/${name}`, endpoint),
    received,
    stop: () => receiver.stop(),
  }
}

const FAILING_PERCENT = 20
const FAILURES_MAX = 2
const FAILURES: readonly Answer[] = [503, { status: 503, headers: { 'retry-after': '1' } }, 500, 'close', 302]
const LATE_PERCENT = 5
const LATE_MS = 1_500

function answerTo(seed: number, { path, headers }: Delivered, earlier: number): Answer {
  const draw = createHash('sha256').update(`${seed} ${path} ${headers['webhook-id']}`).digest()
  const percent = (draw[0] ?? 0) % 100
  if (percent < FAILING_PERCENT && earlier < 1 + ((draw[1] ?? 0) % FAILURES_MAX))
    return FAILURES[(draw[2] ?? 0) % FAILURES.length] ?? 503
  return percent >= 100 - LATE_PERCENT ? { status: 200, delayMs: LATE_MS } : 204
}

function readDelivered(
  delivered: Delivered,
  endpoint: { id: string; secret: string } | undefined,
  answer: Answer,
): ReceivedWebhook {
  const { path, headers, body, atMs } = delivered
  return {
    endpoint: endpoint?.id ?? path,
    webhookId: headers['webhook-id'] ?? '',
    ...verified(delivered, endpoint?.secret),
    bodySha256: createHash('sha256').update(body).digest('hex'),
    atMs,
    status: typeof answer === 'string' ? null : typeof answer === 'number' ? answer : answer.status,
  }
}

function verified(delivered: Delivered, secret: string | undefined): Pick<ReceivedWebhook, 'isSigned' | 'eventId'> {
  try {
    return { isSigned: true, eventId: verify(delivered, secret ?? '').id }
  } catch {
    return { isSigned: false, eventId: null }
  }
}
