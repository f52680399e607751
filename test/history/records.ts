/** The records of `test/api` in the format of the checker. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedWebhook } from '../api/hooks.ts'
import { installation, type RecordedRequest } from '../api/installation.ts'
import type { ClientCall, EndpointFacts, ReceivedWebhook } from '../checker/history.ts'
import { isSignedBy } from '../harness/webhook-receiver.ts'

function readRecords<Line>(kind: string): Line[] {
  const files = readdirSync(installation.recordsDir).filter((name) => name.startsWith(kind))
  const lines = files.flatMap((name) => readFileSync(join(installation.recordsDir, name), 'utf8').trimEnd().split('\n'))
  return lines.map((line) => JSON.parse(line))
}

export const requests = readRecords<RecordedRequest>('requests')

/** The modes of jobs. */
const modes = new Map(requests.flatMap(({ body }): [string, string][] => (body?.mode ? [[body.id, body.mode]] : [])))

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

export function toCalls(request: RecordedRequest): ClientCall[] {
  const { method, path, headers, organizationId, status, body, startedAtMs, endedAtMs } = request
  const call = { organizationId, startedAtMs, endedAtMs, status, namedIds: [...namedIds(body)] }
  const [, resource, jobId, part] = /^\/v1\/([^/?]+)(?:\/([^/?]+))?(?:\/([^/?]+))?/.exec(path) ?? []
  if (resource !== 'printjobs') return [{ kind: 'list', ...call }]
  if (method === 'POST' && jobId === undefined) return [{ kind: 'create', ...call, ...creationFacts(request) }]
  if (jobId === 'batches') return method === 'POST' && part === undefined ? toBatchCalls(request, call) : []
  if (jobId === undefined) {
    const rows: { id: string; state: string }[] = body?.data ?? []
    return [
      { kind: 'list', ...call },
      ...rows.map(({ id, state }) => ({ kind: 'list' as const, ...call, jobId: id, state })),
    ]
  }
  // For a key of the other mode the job does not exist.
  if (status === 404 && !headers.authorization?.includes(`platen_${modes.get(jobId)}_`)) return []
  if (part === 'events') return [{ kind: 'events', ...call, jobId }]
  if (method === 'GET' && part !== undefined) return [{ kind: 'list', ...call }]
  return method === 'GET' ? [{ kind: 'get', ...call, jobId, state: body?.state }] : []
}

/** A call for each job of a batch. A refused batch has created none. */
function toBatchCalls({ requestBody, headers, isReplay, status, body }: RecordedRequest, call: object): ClientCall[] {
  if (status !== 201) return []
  const key = headers['idempotency-key']
  const { jobs = [] } = JSON.parse(requestBody ?? '{}')
  return jobs.map((job: Record<string, never>, n: number) => ({
    ...call,
    ...toCreated(job),
    kind: 'create',
    ...(key !== undefined && { key: `${key} ${n}` }),
    isReplay,
    jobId: body.jobs[n].id,
  }))
}

function creationFacts({ requestBody, headers, isReplay, status, body }: RecordedRequest): Partial<ClientCall> {
  // The body of a refused creation may be anything.
  if (status !== 201) return { key: headers['idempotency-key'] }
  return { key: headers['idempotency-key'], isReplay, jobId: body.id, ...toCreated(JSON.parse(requestBody ?? '{}')) }
}

/** @param job the fields of a creation. */
function toCreated({ reprintOf, qty, content, contentType }: Record<string, never>): Partial<ClientCall> {
  const isEncoded = (contentType as string | undefined)?.endsWith('_base64') && content !== undefined
  const contentSha256 = isEncoded ? sha256(Buffer.from(content, 'base64')) : undefined
  return { reprintOf, qty, ...(contentSha256 !== undefined && { contentSha256 }) }
}

function* namedIds(json: unknown): Iterable<string> {
  if (typeof json !== 'object' || json === null) return
  for (const [name, value] of Object.entries(json)) {
    if (['id', 'jobId', 'printerId', 'computerId'].includes(name) && typeof value === 'string') yield value
    else yield* namedIds(value)
  }
}

/** Endpoints that tests created and did not change, and their received requests. */
export function readWebhooks(): { endpoints: EndpointFacts[]; receivedWebhooks: ReceivedWebhook[] } {
  const changed = new Set(requests.filter(({ method }) => method !== 'GET').map(({ path }) => path.split('/')[3]))
  const made = requests.filter(
    ({ method, path, status }) => method === 'POST' && path === '/v1/webhooks' && status === 201,
  )
  const kept = made.filter(({ body }) => !changed.has(body.id))
  const byUrl = new Map(kept.map(({ body }) => [body.url, body]))
  return {
    endpoints: kept.map(({ organizationId, body: { id, mode, events } }) => ({ id, organizationId, mode, events })),
    receivedWebhooks: readRecords<RecordedWebhook>('webhooks').flatMap((webhook): ReceivedWebhook[] => {
      const { url, headers, body, atMs, answered } = webhook
      const endpoint = byUrl.get(url)
      if (!endpoint) return []
      const status = typeof answered === 'object' ? answered.status : typeof answered === 'number' ? answered : null
      return [
        {
          endpoint: endpoint.id,
          webhookId: headers['webhook-id'] ?? '',
          isSigned: isSignedBy(webhook, endpoint.secret),
          eventId: JSON.parse(body).id,
          bodySha256: sha256(body),
          atMs,
          status,
        },
      ]
    }),
  }
}
