/**
 * A customer of an installation: an organization with the shipped agent, clients that create jobs, followers and a
 * receiver of webhooks.
 */
import { join } from 'node:path'
import { type AgentFiles, readSpoolerCalls, startAgent } from '../chaos/agents.ts'
import { createApi, type Exchange } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import type { System } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { createOnce } from '../load/create-once.ts'
import { startIntegrator } from '../load/integrator.ts'

const PRINT_MS = '20'
const CONTENT = makePdf('Hello').toString('base64')
/** Agents that lost their service wait for up to a minute. */
export const END_TIMEOUT_MS = 90_000

export type Shop = Awaited<ReturnType<typeof openShop>>

/** @param started ends what runs. */
export async function openShop(system: System, started: AsyncDisposableStack) {
  const { organizationId, computerId, credential } = await system.addOrganization({ mode: 'live' })
  const exchanges: Exchange[] = []
  const key = await system.addKey(organizationId, 'live', ['read', 'print', 'admin'])
  const api = createApi(system.baseUrl, key, { record: (exchange) => void exchanges.push(exchange) })
  const integrator = await startIntegrator(api, started)
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
  const readCalls = async () => (await readSpoolerCalls(files)).map(({ call, token }) => `${call} ${token}`)

  return {
    organizationId,
    computerId,
    api,
    agent,
    /** All requests and their answers. */
    exchanges,
    readCalls,
    /** @returns the ids of so many new jobs. */
    async create(count: number): Promise<string[]> {
      const job = { printerId, title: 'Hello', contentType: 'pdf_base64', content: CONTENT }
      const created = Array.from({ length: count }, async () => (await api.createJob(job)).id as string)
      return await Promise.all(created)
    },
    createOnce: (key: string, signal: AbortSignal) =>
      createOnce(api, key, { printerId, title: key, contentType: 'pdf_base64', content: CONTENT }, signal),
    /** Waits until all jobs are done and followers and receiver have all their events. */
    async printed(ids: string[]): Promise<void> {
      for (const id of ids) {
        const { state } = await waitFor(() => api.waitUntilFinal(id), END_TIMEOUT_MS)
        if (state !== 'done') throw new Error(`the job ${id} is ${state}`)
      }
      await integrator.untilPrinted(ids, END_TIMEOUT_MS)
    },
    /** @returns calls of the spooler that would print a job again. */
    async readSecondPrints(): Promise<string[]> {
      const calls = await readCalls()
      return calls.filter((call, n) => calls.indexOf(call) !== n)
    },
  }
}
