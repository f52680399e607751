/**
 * A customer of an installation: an organization with the shipped agent, clients that create jobs, followers and a
 * receiver of webhooks.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentFiles, readSpoolerCalls, startAgent } from '../chaos/agents.ts'
import { createApi, type Exchange } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import type { System } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startWebhookReceiver } from '../harness/webhook-receiver.ts'
import { checkDelivered, PRINTED, startFollowers } from './followers.ts'

const CHAOS = join(import.meta.dirname, '../chaos')
/** The certificate of the receiver of webhooks. */
export const CERTIFICATE = join(CHAOS, 'receiver-certificate.pem')
export const KEY = join(CHAOS, 'receiver-key.pem')

/** For the services. */
export const SHOP_ENVIRONMENT = {
  PLATEN_ALLOWED_NETWORKS: '127.0.0.0/8',
  NODE_EXTRA_CA_CERTS: CERTIFICATE,
}

const PRINT_MS = '20'
const CONTENT = makePdf('Hello').toString('base64')
/** Agents that lost their service wait for up to a minute. */
export const END_TIMEOUT_MS = 90_000
const RETRY_MS = 100

export type Shop = Awaited<ReturnType<typeof openShop>>

/** @param started ends what runs. */
export async function openShop(system: System, started: AsyncDisposableStack) {
  const { organizationId, computerId, credential } = await system.addOrganization({ mode: 'live' })
  const exchanges: Exchange[] = []
  const key = await system.addKey(organizationId, 'live', ['read', 'print', 'admin'])
  const api = createApi(system.baseUrl, key, { record: (exchange) => void exchanges.push(exchange) })
  const tls = { cert: readFileSync(CERTIFICATE, 'utf8'), key: readFileSync(KEY, 'utf8') }
  const receiver = started.adopt(await startWebhookReceiver({ tls }), (one) => one.stop())
  const endpoint = await api.post('/v1/webhooks', { url: receiver.url, events: PRINTED })
  if (endpoint.status !== 201) throw new Error(`the endpoint was refused with ${endpoint.status}`)
  const directory = join(system.directory, 'agent')
  const files: AgentFiles = {
    ...{ name: 'agent', organizationId, computerId, directory },
    logFile: join(system.directory, 'logs/agent.log'),
  }
  const agent = started.adopt(
    await startAgent({
      ...files,
      config: { agentUrl: `http://${system.agentAddress}`, credential, spooler: 'virtual' },
      env: { PLATEN_VIRTUAL_PRINT_MS: PRINT_MS },
      onEnd: (how) => system.unexpectedEnds.push(`agent: ${how}`),
    }),
    (one) => one.stop(),
  )
  const { id: printerId } = await waitFor(() => api.printer('Test A4 Laser'))
  const followers = started.adopt(startFollowers(api), (one) => one.stop())
  const readCalls = async () => (await readSpoolerCalls(files)).map(({ call, token }) => `${call} ${token}`)

  return {
    organizationId,
    computerId,
    api,
    agent,
    followers,
    /** All requests and their answers. */
    exchanges,
    readCalls,
    /** @returns the ids of so many new jobs. */
    async create(count: number): Promise<string[]> {
      const job = { printerId, title: 'Hello', contentType: 'pdf_base64', content: CONTENT }
      const created = Array.from({ length: count }, async () => (await api.createJob(job)).id as string)
      return await Promise.all(created)
    },
    /** Like `create` for one job, but repeats a creation that was not answered, or with 503. */
    async createOnce(idempotencyKey: string, signal: AbortSignal): Promise<string | undefined> {
      const job = { printerId, title: idempotencyKey, contentType: 'pdf_base64', content: CONTENT }
      while (!signal.aborted) {
        const headers = { 'idempotency-key': idempotencyKey }
        const answer = await api.post('/v1/printjobs', job, headers).catch(() => undefined)
        if (answer?.status === 201) return answer.body.id
        await sleep(RETRY_MS)
      }
      return undefined
    },
    /** Waits until all jobs are done and followers and receiver have all their events. */
    async printed(ids: string[]): Promise<void> {
      for (const id of ids) {
        const { state } = await waitFor(() => api.waitUntilFinal(id), END_TIMEOUT_MS)
        if (state !== 'done') throw new Error(`the job ${id} is ${state}`)
      }
      await waitFor(() => followers.checkPrinted(ids), END_TIMEOUT_MS)
      await waitFor(() => checkDelivered(receiver.received, ids), END_TIMEOUT_MS)
    },
    /** @returns calls of the spooler that would print a job again. */
    async readSecondPrints(): Promise<string[]> {
      const calls = await readCalls()
      return calls.filter((call, n) => calls.indexOf(call) !== n)
    },
  }
}
