/**
 * A job queue on the same PostgreSQL: graphile-worker with its settings for throughput. A job is its row, its document,
 * five states and an event for each, written by five transactions. Without HTTP, tenants, agents, feed and webhooks.
 */
import { Logger, run as startWorker } from 'graphile-worker'
import { v7 as uuidv7 } from 'uuid'
import { waitFor } from '../harness/wait-for.ts'
import { CLIENTS, CONTENT } from './load.ts'
import type { Run } from './peers.ts'
import { openPool, withDatabase } from './postgres.ts'
import { runClients } from './report.ts'

const CONCURRENT_JOBS = 16
const LOCAL_QUEUE_JOBS = 500
const COMPLETE_EVERY_MS = 100
const DONE_LIMIT_MS = 120_000
const STATES = ['sent', 'received', 'printing', 'done']

const TABLES = `
CREATE TABLE job (id uuid PRIMARY KEY, state text NOT NULL, created_at timestamptz NOT NULL);
CREATE TABLE document (job_id uuid PRIMARY KEY, content bytea NOT NULL);
ALTER TABLE document ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE TABLE event (job_id uuid NOT NULL, state text NOT NULL, created_at timestamptz NOT NULL,
  PRIMARY KEY (job_id, state))`

const ADD = `
WITH job AS (INSERT INTO job VALUES ($1, 'queued', now())),
document AS (INSERT INTO document VALUES ($1, $2)),
event AS (INSERT INTO event VALUES ($1, 'queued', now()))
SELECT graphile_worker.add_job('print', json_build_object('id', $1::uuid))`

const CHANGE = `
WITH changed AS (UPDATE job SET state = $2 WHERE id = $1 RETURNING id, state)
INSERT INTO event SELECT id, state, now() FROM changed`

export async function withGraphileWorker<T>(databaseUrl: string, measure: (run: Run) => Promise<T>): Promise<T> {
  return await withDatabase(databaseUrl, 'graphile_worker', async (connectionString) => {
    const pool = openPool({ connectionString, max: CLIENTS + CONCURRENT_JOBS })
    await pool.query(TABLES)
    let done = 0
    const print = async (payload: unknown) => {
      const { id } = payload as { id: string }
      for (const state of STATES) await pool.query({ name: 'change', text: CHANGE, values: [id, state] })
      done++
    }
    const worker = await startWorker({
      connectionString,
      concurrency: CONCURRENT_JOBS,
      taskList: { print },
      noHandleSignals: true,
      logger: new Logger(() => () => undefined),
      preset: {
        worker: { localQueue: { size: LOCAL_QUEUE_JOBS }, completeJobBatchDelay: COMPLETE_EVERY_MS },
      },
    })
    const run = async (seconds: number) => {
      let added = 0
      const doneBefore = done
      await runClients(CLIENTS, seconds, async () => {
        await pool.query({ name: 'add', text: ADD, values: [uuidv7(), CONTENT] })
        added++
      })
      await waitFor(() => {
        if (done - doneBefore < added) throw new Error(`only ${done - doneBefore} of ${added} jobs are done`)
      }, DONE_LIMIT_MS)
      return added
    }
    return await measure(run).finally(async () => {
      await worker.stop()
      await pool.end()
    })
  })
}
