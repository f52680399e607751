/**
 * What `bench webhooks` runs on: all services in one process beside PostgreSQL and NATS, as `npm start` has them, and a
 * receiver, which is a process of its own. Events of jobs are inserted into the event log, so that requests and jobs
 * cost nothing.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { eventLogSubject } from '@platen/proto/subjects.ts'
import { exampleEvent } from '@platen/resources/event-examples.ts'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import { parseNatsUrl } from '@platen/runtime/messaging/settings.ts'
import { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { startSystem } from '../harness/system.ts'
import { createTestProcess } from '../harness/test-process.ts'
import { runSteadily } from './report.ts'
import type { Receipts } from './webhook-receiver.ts'

/** The process of `webhook-receiver.ts`. */
export async function startReceiver() {
  const process = fork(new URL('webhook-receiver.ts', import.meta.url))
  const [{ port }] = (await once(process, 'message')) as [Receipts]
  /** All received requests, in the order of their arrival. Known after 50 ms. */
  const arrivals: Receipts['arrivals'] = []
  process.on('message', (receipts: Receipts) => arrivals.push(...receipts.arrivals))
  return { url: `http://127.0.0.1:${port}`, arrivals, stop: () => process.kill() }
}

export type WebhookInstallation = Awaited<ReturnType<typeof startWebhookInstallation>>

const EXAMPLE = exampleEvent('printjob.done', 'test')

const INSERT_SQL = `
INSERT INTO jobs.event_log (id, commit_seq, organization_id, mode, type, occurred_at, body, traceparent)
SELECT id, jobs.to_commit_seq(pg_current_xact_id()), $2, 'test', 'printjob.done', now(),
  replace($3, '${EXAMPLE.id}', id::text), ''
FROM unnest($1::uuid[]) AS id`

/** Higher rates insert several events by one statement, because the load must leave the machine to the services. */
const STATEMENTS_PER_SECOND = 50

export async function startWebhookInstallation() {
  const system = await startSystem({ together: true, env: { PLATEN_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  const receiver = await startReceiver()
  const client = createTestProcess('bench')
  const nats = await connectNats(client, parseNatsUrl(system.natsUrl))
  const database = new Pool({ connectionString: system.databaseUrl })
  const endpoints = system.connect(EndpointsService, 'webhooks')
  return {
    system,
    receiverUrl: receiver.url,
    arrivals: receiver.arrivals,
    async addEndpoint(organizationId: string, path: string, events = ['printjob.done']): Promise<void> {
      await endpoints.createEndpoint({ organizationId, mode: 'test', url: receiver.url + path, events })
    },
    /** @returns the time before the commit by the id of each event, in milliseconds since 1970. */
    async publish(organizationId: string, count: number): Promise<Map<string, number>> {
      const ids = Array.from({ length: count }, () => uuidv7())
      const at = performance.timeOrigin + performance.now()
      const values = [ids, organizationId, JSON.stringify(EXAMPLE)]
      await database.query({ name: 'insert events', text: INSERT_SQL, values })
      nats.connection.publish(eventLogSubject('jobs'))
      return new Map(ids.map((id) => [id, at]))
    },
    async publishSteadily(organizationId: string, perSecond: number, seconds: number): Promise<Map<string, number>> {
      const count = perSecond / STATEMENTS_PER_SECOND
      const statements = STATEMENTS_PER_SECOND * seconds
      const published = await runSteadily(STATEMENTS_PER_SECOND, statements, () => this.publish(organizationId, count))
      return new Map(published.flatMap((events) => [...events]))
    },
    async stop(): Promise<void> {
      receiver.stop()
      await database.end()
      await client.stop()
      await system.stop()
    },
  }
}
