/**
 * A print spooler that records what it was told, for all agents of a system: `node spooler-server.ts PORT CALLS_FILE PRINT_MS`.
 * It outlives the agents as a real one does, and finds its jobs again in its record when it is killed itself. It obeys whatever it
 * is told, also to release a job a second time: judging is up to who reads the record.
 *
 * - `POST /jobs?agent=&token=&printer=&qty=` with the document: takes a held job, 201 `{ spoolerJobId }`
 * - `POST /jobs/:id/release`: 204
 * - `DELETE /jobs/:id`: 204; a job that has ended stays as it is
 * - `GET /jobs?token=`: the last job with that token, 200 `{ spoolerJobId, state }`
 * - `GET /jobs/:id`: 200 `{ state }`
 *
 * A job that it does not know is a 404.
 */
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { SpoolerState } from '../../../agent/spoolers/spooler.ts'
import type { SpoolerCall } from '../history.ts'
import { appendSpoolerCall, readSpoolerCalls } from './spooler-calls.ts'

/** Of the time from release to completion, how much the job waits for its printer. */
const PENDING_SHARE = 0.3

interface Answer {
  status: number
  body?: unknown
}

const NOT_FOUND: Answer = { status: 404 }

const [port, callsFile = '', printMs] = process.argv.slice(2)
const submitted = new Map<string, SpoolerCall>()
const lastOfToken = new Map<string, string>()
const releasedAtMs = new Map<string, number>()
const removed = new Set<string>()
appendFileSync(callsFile, '') // It is there to be watched before the first call.
for (const call of readSpoolerCalls(callsFile)) obey(call)

const server = createServer(async (request, response) => {
  try {
    const { status, body } = await answer(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body))
  } catch (error) {
    // The caller went away before its document was here: nothing was submitted.
    response.destroy()
    console.error(`request failed: ${error}`)
  }
})
server.listen(Number(port), '127.0.0.1')
await once(server, 'listening')
process.once('SIGTERM', () => process.exit(0))
process.once('disconnect', () => process.exit(0))
process.send?.({ ready: true })

async function answer(request: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://spooler')
  const [, , id, verb] = pathname.split('/')
  if (request.method === 'POST') return id && verb === 'release' ? release(id) : await submit(request, searchParams)
  if (request.method === 'DELETE') return remove(id ?? '')
  const asked = id ?? lastOfToken.get(searchParams.get('token') ?? '')
  const state = asked && stateOf(asked)
  return state ? { status: 200, body: { spoolerJobId: asked, state } } : NOT_FOUND
}

async function submit(request: IncomingMessage, query: URLSearchParams): Promise<Answer> {
  const hash = createHash('sha256')
  for await (const chunk of request) hash.update(chunk)
  const spoolerJobId = randomUUID()
  record({
    call: 'submit',
    agent: query.get('agent') ?? '',
    token: query.get('token') ?? '',
    spoolerJobId,
    printer: query.get('printer') ?? '',
    sha256: hash.digest('hex'),
    qty: Number(query.get('qty')),
    atMs: Date.now(),
  })
  return { status: 201, body: { spoolerJobId } }
}

function release(id: string): Answer {
  const job = submitted.get(id)
  if (!job) return NOT_FOUND
  record({ ...job, call: 'release', atMs: Date.now() })
  return { status: 204 }
}

function remove(id: string): Answer {
  const job = submitted.get(id)
  const state = stateOf(id)
  if (!job || !state) return NOT_FOUND
  if (state.is !== 'completed' && state.is !== 'aborted') record({ ...job, call: 'remove', atMs: Date.now() })
  return { status: 204 }
}

function record(call: SpoolerCall): void {
  appendSpoolerCall(callsFile, call)
  obey(call)
}

function obey(call: SpoolerCall): void {
  const { spoolerJobId, token, atMs } = call
  if (call.call === 'submit') {
    submitted.set(spoolerJobId, call)
    lastOfToken.set(token, spoolerJobId)
  } else if (call.call === 'remove') removed.add(spoolerJobId)
  else releasedAtMs.set(spoolerJobId, releasedAtMs.get(spoolerJobId) ?? atMs)
}

function stateOf(id: string): SpoolerState | undefined {
  if (!submitted.has(id)) return undefined
  if (removed.has(id)) return { is: 'aborted', reasons: ['job-canceled-by-user'] }
  const atMs = releasedAtMs.get(id)
  if (atMs === undefined) return { is: 'held', reasons: ['job-hold-until-specified'] }
  const elapsedMs = Date.now() - atMs
  if (elapsedMs < Number(printMs) * PENDING_SHARE) return { is: 'pending', reasons: [] }
  if (elapsedMs < Number(printMs)) return { is: 'processing', reasons: ['job-printing'] }
  return { is: 'completed', reasons: ['job-completed-successfully'] }
}
