/**
 * What uses the keys while they are replaced: creations and their repetitions, documents by URL, cursors, webhooks and
 * agents.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { runSteadily } from '../bench/report.ts'
import type { Exchange } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import type { System } from '../harness/system.ts'
import { startIntegrator } from '../load/integrator.ts'
import { addPrintingComputers } from '../load/printing-computers.ts'
import { type Balancer, createBalancer } from './balancer.ts'

const AGENTS = 4
const CREATIONS_PER_SECOND = 10
/** One of so many has its document at a URL. */
const BY_URL_EVERY = 5
/** A creation is repeated after this time, and the page of a cursor read again. */
export const REPEAT_AFTER_MS = 8_000
/** So that fetches are always waiting. */
const DOCUMENT_MS = 1_500
const END_TIMEOUT_MS = 60_000
const PDF = makePdf('Hello')

export interface RotationLoad {
  key: string
  balancer: Balancer
  /** Answers that are errors, creations that were repeated with another result, and old cursors that were refused. */
  failures: string[]
  requests(): number
  repetitions(): number
  documents(): number
  /** Waits until everything that was created is printed, followed and delivered with valid signatures. */
  finish(): Promise<{ jobs: number; webhooks: number }>
}

/** @param started ends it. */
export async function startRotationLoad(system: System, started: AsyncDisposableStack): Promise<RotationLoad> {
  const organizationId = await system.createOrganization()
  const key = await system.addKey(organizationId, 'live', ['read', 'print', 'admin'])
  const failures: string[] = []
  let [requests, repetitions] = [0, 0]
  const balancer = createBalancer(system.baseUrls, key, ({ method, path, answer, startedAtMs }: Exchange) => {
    requests++
    const at = new Date(startedAtMs).toISOString()
    if (!answer || answer.status >= 400)
      failures.push(
        `${at} ${method} ${path}: ${answer ? `${answer.status} ${JSON.stringify(answer.body)}` : 'no answer'}`,
      )
  })
  const integrator = await startIntegrator(balancer, started)
  const { printerIds } = await addPrintingComputers(balancer, system.agentAddresses, AGENTS, started)
  const documents = await startDocuments(started)
  const ids: string[] = []

  async function create(n: number): Promise<void> {
    const byUrl = n % BY_URL_EVERY === 0
    const printerId = printerIds[byUrl ? 0 : 1 + (n % (AGENTS - 1))]
    const document = byUrl
      ? { contentType: 'pdf_uri', content: `${documents.url}/${n}.pdf` }
      : { contentType: 'pdf_base64', content: PDF.toString('base64') }
    const send = () =>
      balancer.post('/v1/printjobs', { printerId, title: `Job ${n}`, ...document }, { 'idempotency-key': `job-${n}` })
    const first = await send()
    if (first.status !== 201) return
    ids.push(first.body.id)
    await sleep(REPEAT_AFTER_MS)
    const again = await send()
    repetitions++
    if (again.status !== 201 || again.body.id !== first.body.id || !again.headers.has('idempotent-replayed'))
      failures.push(`the repetition of ${first.body.id} was answered with ${again.status} ${again.body.id}`)
  }

  async function repeatPage(): Promise<void> {
    const { body } = await balancer.get('/v1/printjobs?limit=1')
    if (!body.nextCursor) return
    await sleep(REPEAT_AFTER_MS)
    await balancer.get(`/v1/printjobs?limit=1&after=${body.nextCursor}`)
  }

  const stopping = new AbortController()
  const ended = runSteadily(CREATIONS_PER_SECOND, stopping.signal, (_, n) =>
    Promise.allSettled([create(n), repeatPage()]),
  )
  const stop = async () => {
    stopping.abort()
    await ended
  }
  started.defer(stop)
  return {
    key,
    balancer,
    failures,
    requests: () => requests,
    repetitions: () => repetitions,
    documents: documents.served,
    async finish() {
      await stop()
      await integrator.untilPrinted(ids, END_TIMEOUT_MS)
      return { jobs: ids.length, webhooks: integrator.received.length }
    },
  }
}

/** On port 80, because documents are fetched from no other. */
async function startDocuments(started: AsyncDisposableStack) {
  let served = 0
  const server = createServer(async (_request, response) => {
    await sleep(DOCUMENT_MS)
    served++
    response.end(PDF)
  })
  await once(server.listen(80, '127.0.0.9'), 'listening')
  started.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: 'http://127.0.0.9', served: () => served }
}
