/**
 * The requests of an organization with full budgets to every operation and every route of the PrintNode interface: as
 * often as its keys or its session may, on many large printers and waiting jobs. A new operation is here by being in
 * its table.
 */
import { makeToken } from '@platen/gateway/authentication/cookies.ts'
import type { Operation, ResourceName } from '@platen/gateway/operation/operation.ts'
import { ROUTES } from '@platen/gateway/printnode/routes.ts'
import { ALL_OPERATIONS } from '@platen/gateway/router.ts'
import { requestTo } from '@platen/gateway/tests/request-to.ts'
import type { Client } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { createApi } from '../harness/api.ts'
import type { System } from '../harness/system.ts'

export interface AttackRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

export interface OperationAttack {
  requests: AttackRequest[]
  perSecond: number
}

/** The rates of a key, a session, and all keys of an organization. */
const RATES = { key: 20, session: 20, organization: 200 }
const KEYS = RATES.organization / RATES.key
/** Bodies of requests of which each changes something, which wakes those that wait for events. */
const CHANGES: Record<string, object[]> = { updatePrinter: [{ displayName: 'A' }, { displayName: 'B' }] }
/** They end the credentials of the attack. */
const ENDING = new Set(['signOut', 'leaveOrganization', 'endSession', 'endOtherSessions', 'revokeApiKey'])
/** The queries that cost most. */
const WORST: Record<string, string> = {
  listPrintJobs: '?printerId={printer}&limit=100',
  listPrinters: '?limit=100',
  listComputers: '?limit=100',
  listEvents: '?limit=100',
  listStatistics: '?interval=hour&groupBy=source&limit=100',
  listAudit: '?limit=100',
  countWebhookDeliveries: '?interval=hour',
}

/**
 * @param printerId of the organization, with jobs.
 * @param endpointUrl an address that webhook endpoints may have.
 * @returns by the id of the operation. Those that delete or purge are the last.
 */
export async function prepareOperations(
  system: System,
  database: Client,
  { organizationId, key, printerId }: { organizationId: string; key: string; printerId: string },
  endpointUrl: string,
): Promise<Record<string, OperationAttack>> {
  const api = createApi(system.baseUrl, key)
  const scopes = ['read', 'print', 'admin']
  const keys = [key]
  while (keys.length < KEYS) keys.push(await system.addKey(organizationId, 'live', scopes))
  const ids = await findIds(api, createApi(system.baseUrl, keys[1] ?? key), printerId, endpointUrl)
  const cookie = await signIn(database, organizationId)
  const session = { ...BROWSER, cookie }

  const attack = (operation: Operation): OperationAttack => {
    const { method, path, init } = requestTo(operation, ids)
    const query = (WORST[operation.operationId] ?? '').replace('{printer}', printerId)
    const request = { method, path: path + query, ...('body' in init && { body: init.body }) }
    const headers = 'headers' in init ? init.headers : {}
    const bodies = CHANGES[operation.operationId]?.map((body) => ({ ...request, body: JSON.stringify(body) })) ?? [
      request,
    ]
    if (operation.credential || operation.path.startsWith('/account'))
      return {
        perSecond: RATES.session,
        requests: bodies.map((one) => ({ ...one, headers: { ...session, ...headers } })),
      }
    return {
      perSecond: RATES.organization,
      requests: bodies.flatMap((one) => keys.map((by) => ({ ...one, headers: { ...headers, ...bearer(by) } }))),
    }
  }
  const isLast = ({ method, operationId }: Operation) => method === 'delete' || operationId === 'purgePrinter'
  const operations = ALL_OPERATIONS.filter(({ operationId }) => !ENDING.has(operationId))
    .toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))
    .map((operation) => [operation.operationId, attack(operation)] as const)
  const { number } = (await api.get(`/v1/printers/${printerId}`)).body
  const job = { printerId: number, title: 'A', contentType: 'raw_base64', content: 'aGVsbG8=' }
  const routes = ROUTES.map(({ method, paths: [path = ''] }) => {
    const request = { method, path: `/${path.replaceAll('{}', '1-1000')}` }
    const body = method === 'POST' ? { body: JSON.stringify(job) } : {}
    const headers = (one: string) => ({ ...basic(one), 'content-type': 'application/json' })
    const requests = keys.map((one) => ({ ...request, ...body, headers: headers(one) }))
    return [`PrintNode ${method} /${path}`, { perSecond: RATES.organization, requests }] as const
  })
  return Object.fromEntries([...routes, ...operations])
}

/** The ids of the resources that paths name. */
async function findIds(
  api: ReturnType<typeof createApi>,
  admin: ReturnType<typeof createApi>,
  printer: string,
  endpointUrl: string,
): Promise<Partial<Record<ResourceName, string>>> {
  const { computerId } = (await api.get(`/v1/printers/${printer}`)).body
  const [job] = (await api.get('/v1/printjobs?limit=1')).body.data
  const [event] = (await api.get('/v1/events?limit=1')).body.data
  const { status, body: endpoint } = await admin.post('/v1/webhooks', { url: endpointUrl, events: ['printjob.done'] })
  if (status !== 201) throw new Error(`the webhook endpoint of the attacker was refused: ${JSON.stringify(endpoint)}`)
  const { body: delivery } = await admin.post(`/v1/webhooks/${endpoint.id}/test`, {})
  // Its deliveries are not part of an attack on an operation.
  await admin.patch(`/v1/webhooks/${endpoint.id}`, { enabled: false })
  const { body: enrollment } = await admin.post('/v1/enrollments', {})
  const { body: destination } = await admin.post('/v1/destinations', { name: 'attack', printers: [printer] })
  return {
    ...{ printer, computer: computerId, resource: printer, 'print job': job.id, event: event?.id ?? uuidv7() },
    ...{ 'webhook endpoint': endpoint.id, delivery: delivery.id, 'enrolment token': enrollment.id },
    destination: destination.id,
  }
}

const BROWSER = { 'sec-fetch-site': 'same-origin', 'platen-mode': 'live', 'content-type': 'application/json' }
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const basic = (key: string) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` })

/** Without a mail. @returns the cookie of a session of an owner. */
async function signIn(database: Client, organizationId: string): Promise<string> {
  const { text, sha256 } = makeToken()
  await database.query(
    `WITH person AS (
       INSERT INTO accounts.user (id, email, created_at) VALUES ($1::uuid, $1::uuid || '@example.com', now())
       RETURNING id
     ),
     membership AS (
       INSERT INTO accounts.membership (organization_id, user_id, role, created_at)
       SELECT $2, id, 'owner', now() FROM person
     )
     INSERT INTO accounts.session (id, token_sha256, user_id, known_browser_sha256, browser, ip, created_at,
       last_used_at)
     SELECT $1::uuid, $3::bytea, id, $3::bytea, 'Bench', '127.0.0.1', now(), now() FROM person`,
    [uuidv7(), organizationId, sha256],
  )
  return `platen_session=${text}`
}
