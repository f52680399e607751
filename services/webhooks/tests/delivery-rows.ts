/** Rows as the rest of the service writes them, for tests of deliveries alone. */
import { randomBytes } from 'node:crypto'
import { createSeal } from '@platen/runtime/seal.ts'
import { v7 as uuidv7 } from 'uuid'
import type { TestWebhooks } from './start-test-webhooks.ts'

type Installation = Pick<TestWebhooks, 'query' | 'config' | 'clock'>

export interface TestEndpoint {
  id: string
  organizationId: string
  mode: string
  /** `whsec_…` */
  secret: string
}

export const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`

export async function addEndpoint(
  webhooks: Installation,
  { url, mode = 'test', organizationId = uuidv7() }: { url: string; mode?: string; organizationId?: string },
): Promise<TestEndpoint> {
  const endpoint = { id: uuidv7(), organizationId, mode, secret: newSecret() }
  await webhooks.query(
    `INSERT INTO webhooks.endpoint (id, organization_id, mode, url, events, created_at) VALUES ($1, $2, $3, $4, '{printjob.done}', $5)`,
    [endpoint.id, organizationId, mode, url, webhooks.clock.now()],
  )
  await addSecret(webhooks, endpoint.id, endpoint.secret)
  return endpoint
}

/** @param expiresAt without it, it is the present one. */
export async function addSecret(
  { query, config, clock }: Installation,
  endpointId: string,
  secret: string,
  expiresAt: Date | null = null,
): Promise<void> {
  const sealed = createSeal(config.webhookKey).seal(endpointId, secret)
  await query(
    `INSERT INTO webhooks.secret (id, endpoint_id, sealed, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
    [uuidv7(), endpointId, sealed, clock.now(), expiresAt],
  )
}

/** An event, and a delivery of it that is due now. */
export async function addDelivery(
  { query, clock }: Installation,
  { id: endpointId, organizationId, mode }: TestEndpoint,
  body = JSON.stringify({ type: 'printjob.done', data: { title: 'Rechnung für Łukasz ✓' } }),
): Promise<{ id: string; eventId: string; body: string }> {
  const [id, eventId, now] = [uuidv7(), uuidv7(), clock.now()]
  await query(
    `INSERT INTO webhooks.event (id, organization_id, mode, type, body, created_at) VALUES ($1, $2, $3, 'printjob.done', $4, $5)`,
    [eventId, organizationId, mode, body, now],
  )
  await query(
    `INSERT INTO webhooks.delivery (id, endpoint_id, event_id, event_type, status, next_attempt_at, due_at, created_at)
     VALUES ($1, $2, $3, 'printjob.done', 'pending', $4, $4, $4)`,
    [id, endpointId, eventId, now],
  )
  return { id, eventId, body }
}

export interface DeliveryRow {
  status: string
  attempts: number
  next_attempt_at: Date | null
  due_at: Date | null
  last_status_code: number | null
  last_error: string | null
  delivered_at: Date | null
}

export async function readDelivery({ query }: Installation, id: string): Promise<DeliveryRow> {
  const [row] = await query<DeliveryRow>('SELECT * FROM webhooks.delivery WHERE id = $1', [id])
  if (!row) throw new Error('the delivery is gone')
  return row
}

export interface AttemptRow {
  number: number
  trigger: string
  at: Date
  duration_ms: number
  status_code: number | null
  error_class: string | null
  response: string | null
}

export const readAttempts = ({ query }: Installation, id: string) =>
  query<AttemptRow>('SELECT * FROM webhooks.attempt WHERE delivery_id = $1 ORDER BY number', [id])

export async function failingSince({ query }: Installation, endpointId: string): Promise<Date | null> {
  const [row] = await query<{ failing_since: Date | null }>(
    'SELECT failing_since FROM webhooks.endpoint WHERE id = $1',
    [endpointId],
  )
  return row?.failing_since ?? null
}
