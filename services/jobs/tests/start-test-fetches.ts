/** Jobs whose documents the jobs service of a world fetches, from a server of the test that stands for all hosts. */
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { getWorld, type World } from '@platen/test/harness/world.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished } from 'vitest'
import { createTestAgent } from './create-test-agent.ts'
import { type CreationFacts, createOneJob, jobCreation, toTestJobs } from './start-test-jobs.ts'

/** The addresses of the hosts of `example.com` that are not at the server's public address. */
const ADDRESSES: Record<string, string[]> = {
  inside: ['10.0.0.1'],
  allowed: ['127.0.0.9'],
  both: ['93.184.216.34', '127.0.0.9'],
  down: ['93.184.216.35'],
  'allowed-and-down': ['127.0.0.10'],
}
const CLOSED_PORT = 1

export const PDF = '%PDF-1.7\n%%EOF\n'
export const sendPdf: RequestListener = (_request, response) => void response.end(PDF)

export type FetchFacts = CreationFacts & {
  host?: string
  credentials?: { user: string; password: string }
}

/** Holds all requests until the test answers them. */
export function heldServer() {
  const waiting: ServerResponse[] = []
  const hosts: string[] = []
  const answer: RequestListener = (request, response) => {
    waiting.push(response)
    hosts.push(request.headers.host ?? '')
  }
  return {
    answer,
    waiting,
    hosts,
    waits: (count: number) => waitFor(() => expect(waiting).toHaveLength(count)),
  }
}

export async function startTestFetches(answer: RequestListener, world?: World) {
  const there = world ?? (await getWorld())
  const jobs = toTestJobs(there, world?.pool)
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const agent = createTestAgent(jobs)
  const { computerId } = agent
  const organizationId = uuidv7()
  await agent.hello(1n)
  const ids: string[] = []

  const creation = (facts: CreationFacts) => jobCreation(jobs, { organizationId, computerId, ...facts })
  const stored = (key: string) =>
    there.files.read(key).then(text, (error: { code: string }) => void expect(error.code).toBe('not_found'))
  return {
    world: there,
    jobs,
    agent,
    claim: () => agent.claimIds(1n, { queuedOnly: true }),
    /** @param wakes else a replica finds the fetch at its next poll. */
    async create({ host = 'files', contentType = 'pdf_uri', credentials, ...facts }: FetchFacts = {}, wakes = true) {
      const down = host.endsWith('down')
      const name = `${host}.example.com`
      there.addHost(name, ADDRESSES[host] ?? ['93.184.216.34'], down ? CLOSED_PORT : port)
      const value = { url: `http://${name}/secret-path?token=secret-token`, credentials }
      const { fetchesAdded } = wakes ? there.contexts.jobs : jobs
      const job = await createOneJob(
        { ...jobs, fetchesAdded },
        creation({ contentType, document: { case: 'fetch', value }, ...facts }),
      )
      ids.push(job.id)
      return job
    },
    reprint: (value: string, facts: CreationFacts = {}) =>
      createOneJob(jobs, creation({ contentType: '', document: { case: 'reprintOf', value }, ...facts })),
    fetched: (jobId: string, facts: object = {}) =>
      waitFor(async () =>
        expect(await jobs.row(jobId)).toMatchObject({ file_size_bytes: expect.any(Number), ...facts }),
      ),
    /** @returns the job when its fetch has ended it in error. */
    failed: (jobId: string) =>
      waitFor(async () => {
        const row = await jobs.row(jobId)
        expect(row.state).toBe('error')
        return row
      }),
    /** What is stored of the attempts of a fetch. */
    getStored: async (jobId: string) =>
      (await Promise.all([1, 2, 3].map((attempt) => stored(`${jobId}-${attempt}`)))).filter((one) => one !== undefined),
    /** How many of the fetches of this test are not over, or not begun. */
    async held(where = ''): Promise<number> {
      const sql = `SELECT FROM jobs.document_fetch WHERE job_id = ANY($1) ${where}`
      return (await jobs.pool.query(sql, [ids])).rowCount ?? 0
    },
  }
}
