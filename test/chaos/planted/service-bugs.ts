/** Bugs of the services, for `bugs.ts`. */
import type { PlantedBug } from './planted-bug.ts'

export const SERVICE_BUGS: PlantedBug[] = [
  {
    name: 'answered-before-commit',
    wrong: 'A creation is answered first and written with the next batch, 50 ms later.',
    edits: [
      {
        file: 'services/jobs/rpc/create-job.ts',
        find: `await createJobRow(jobs.pool, job, request.actor as Actor, { limit, claim: request.idempotency })
  jobs.eventsAdded()`,
        replace: `setTimeout(() => createJobRow(jobs.pool, job, request.actor as Actor, { limit, claim: request.idempotency })
    .then(jobs.eventsAdded, () => undefined), 50)`,
      },
    ],
    noticedBy: ['S1', 'S7'],
  },
  {
    name: 'new-id-at-each-try',
    wrong: 'A creation that the jobs service did not answer is tried again as another job.',
    edits: [
      {
        file: 'services/gateway/routes/create-print-job.ts',
        find: `const { job } = await createJob({
        jobId: received.jobId,`,
        replace: `const create = () => createJob({
        jobId: crypto.randomUUID(),`,
      },
      {
        file: 'services/gateway/routes/create-print-job.ts',
        find: `idempotency: claim && completionOf(claim, body),
      })`,
        replace: `idempotency: claim && completionOf(claim, body),
      })
      const { job } = await create().catch(create)`,
      },
    ],
    noticedBy: ['S1'],
  },
  {
    name: 'completed-key-is-free',
    wrong: 'An `Idempotency-Key` that has made a job is given to the next request as if it were new.',
    edits: [
      {
        file: 'services/jobs/rpc/claim-idempotency-key.ts',
        find: 'WHERE known.created_at <= $7',
        replace: 'WHERE known.created_at <= $7 OR known.job_id IS NOT NULL',
      },
    ],
    noticedBy: ['S8'],
  },
  {
    name: 'no-compare-and-set',
    wrong: 'A trigger moves a job whatever state it is in.',
    edits: [
      {
        file: 'services/jobs/change-state.ts',
        find: 'WHERE job.id = asked.job_id AND job.state = rule.from_state',
        replace: 'WHERE job.id = asked.job_id',
      },
    ],
    noticedBy: ['S2'],
  },
  {
    name: 'resend-without-event',
    wrong: 'A resend is counted and not recorded.',
    edits: [
      {
        file: 'services/jobs/change-state.ts',
        find: 'SELECT event_id, id, version, state, message, actor, changed_at FROM changed',
        replace: `SELECT event_id, id, version, state, message, actor, changed_at FROM changed WHERE trigger <> 'resend'`,
      },
    ],
    noticedBy: ['S2'],
  },
  {
    name: 'resent-at-once',
    wrong: 'A job counts as unacknowledged from the moment in which it is sent.',
    edits: [
      {
        file: 'services/jobs/timers/sweep-unacknowledged.ts',
        find: 'new Date(now.getTime() - resendAfterMs)',
        replace: 'new Date(now.getTime() - Math.min(resendAfterMs, 1))',
      },
    ],
    noticedBy: ['S9'],
  },
  {
    name: 'timed-out-at-once',
    wrong: 'A job counts as stuck in its spooler from the moment in which it prints.',
    edits: [
      {
        file: 'services/jobs/timers/sweep-printing.ts',
        find: 'new Date(now.getTime() - timeoutMs)',
        replace: 'new Date(now.getTime() - Math.min(timeoutMs, 1))',
      },
    ],
    noticedBy: ['S9'],
  },
  {
    name: 'never-sent-again',
    wrong: 'What was pushed down a stream that broke is not sent again.',
    edits: [
      {
        file: 'services/jobs/service.ts',
        find: `startTimer(service, 'unacknowledged', SWEEP_EVERY_MS, () => sweepUnacknowledged(jobs, config.resendAfterMs))`,
        replace: 'void [sweepUnacknowledged, config.resendAfterMs]',
      },
      {
        file: 'services/jobs/rpc/reconcile-computer.ts',
        find: 'if (rows.length > 0) {',
        replace: `if (rows.some(({ state }) => state !== 'sent')) {`,
      },
      {
        file: 'services/jobs/rpc/claim-jobs.ts',
        find: 'AND (push_due OR NOT id = ANY(claimed))',
        replace: 'AND push_due AND claimed IS NOT NULL',
      },
    ],
    noticedBy: ['L1', 'S9'],
  },
  {
    name: 'relay-by-cursor',
    wrong: 'The relay reads on from the last event that it published, and never sees one that is committed late.',
    edits: [
      {
        file: 'services/runtime/outbox/relay.ts',
        find: 'const owned = new Set<number>()',
        replace: `const owned = new Set<number>()
    let last = '0'`,
      },
      {
        file: 'services/runtime/outbox/relay.ts',
        find: 'WHERE published_at IS NULL AND partition = ANY($1)',
        replace: 'WHERE id > $2 AND partition = ANY($1)',
      },
      {
        file: 'services/runtime/outbox/relay.ts',
        find: `values: [[...owned]],
      })`,
        replace: `values: [[...owned], last],
      })
      last = rows.at(-1)?.id ?? last`,
      },
    ],
    noticedBy: ['S3', 'L2'],
  },
  {
    name: 'dropped-before-published',
    wrong: 'An event leaves the outbox before NATS has it.',
    edits: [
      {
        file: 'services/runtime/outbox/relay.ts',
        // Deleted, since what is only marked is published again as long as a consumer waits for it.
        find: `const published = await publishInOrder(rows)
      await markPublished(database, schema, published)`,
        replace: `await database.query(\`DELETE FROM \${schema}.outbox WHERE id = ANY($1)\`, [rows.map(({ id }) => id)])
      const published = await publishInOrder(rows)`,
      },
    ],
    noticedBy: ['S3'],
  },
  {
    name: 'never-published-again',
    wrong: 'An event that NATS had and nobody confirmed is not published again.',
    edits: [
      {
        file: 'services/runtime/outbox/relay.ts',
        find: 'WHERE published_at < now() - make_interval(secs => $1)',
        replace: 'WHERE false AND published_at < now() - make_interval(secs => $1)',
      },
    ],
    noticedBy: ['L2'],
  },
  {
    name: 'confirmed-before-recorded',
    wrong:
      'Usage confirms the event of a live job at once and records the print with the next batch, some seconds later.',
    edits: [
      {
        file: 'services/usage/consume-queued.ts',
        find: 'if (event.sequence === 1) await record(printOf(event))',
        replace: 'if (event.sequence === 1) record(printOf(event)).catch(() => undefined)',
      },
      { file: 'services/usage/consume-queued.ts', find: 'const REST_MS = 50', replace: 'const REST_MS = 3_000' },
    ],
    noticedBy: ['S12'],
  },
  {
    name: 'counted-at-each-delivery',
    wrong: 'A print is counted when its event comes, also when the ledger has it already.',
    edits: [
      {
        file: 'services/usage/record-prints.ts',
        find: 'ON CONFLICT (event_id) DO NOTHING',
        replace: 'ON CONFLICT (event_id) DO UPDATE SET job_id = excluded.job_id',
      },
    ],
    noticedBy: ['S12'],
  },
  {
    name: 'granted-before-commit',
    wrong: 'An agent hears Granted while `received` is still on its way to the database.',
    edits: [
      {
        file: 'services/devices/agents/handle-message.ts',
        find: `const trigger = AgentTrigger.ACKNOWLEDGE
`,
        replace: `const trigger = AgentTrigger.ACKNOWLEDGE
  connection.send({ case: 'granted', value: { jobId, attempt } }, traceparent)
`,
      },
    ],
    noticedBy: ['S5', 'S7'],
  },
  {
    name: 'other-tenants-jobs',
    wrong: 'A job is found by its id alone, whoever asks.',
    edits: [
      {
        file: 'services/jobs/rpc/get-job.ts',
        find: '{ id: jobId, organizationId, mode }',
        replace: '{ id: jobId, ...(organizationId && mode ? {} : { organizationId }) }',
      },
    ],
    noticedBy: ['S13'],
  },
  {
    name: 'reprints-of-other-tenants',
    wrong: 'The original of a reprint is found by its id alone, whosever it is.',
    edits: [
      {
        file: 'services/jobs/document-of.ts',
        find: '{ id: reprintOf, organizationId, mode }',
        replace: '{ id: reprintOf, ...(organizationId && mode ? {} : { organizationId }) }',
      },
    ],
    noticedBy: ['S13'],
  },
  {
    name: 'held-after-fetch',
    wrong: 'What is held for a fetch stays when the fetch has failed.',
    edits: [
      {
        file: 'services/jobs/fetches/end-fetch.ts',
        find: `await jobs.pool.query('DELETE FROM jobs.document_fetch WHERE job_id = $1 AND attempt = $2', [jobId, attempt])`,
        replace: '',
      },
      {
        file: 'services/jobs/timers/sweep-fetches.ts',
        find: `(job.state <> 'queued' OR job.storage_key IS NOT NULL)`,
        replace: `job.state IN ('cancelled', 'expired')`,
      },
    ],
    noticedBy: ['L8'],
  },
  {
    name: 'half-is-whole',
    wrong: 'A fetch takes what came before its server broke off for the document.',
    edits: [
      {
        file: 'services/runtime/fetch/fetch-file.ts',
        find: `for await (const chunk of content) {
    sizeBytes`,
        replace: `async function* untilItEnds() {
    try {
      for await (const chunk of content) yield chunk
    } catch {}
  }
  for await (const chunk of untilItEnds()) {
    sizeBytes`,
      },
    ],
    noticedBy: ['S16'],
  },
  {
    name: 'stale-reads',
    wrong: 'Each replica keeps what it read of a job for 2 s, and another one changes it.',
    edits: [
      {
        file: 'services/jobs/rpc/get-job.ts',
        find: 'const job = await jobs.orm.em.fork().findOne(JobEntity, { id: jobId, organizationId, mode })',
        replace: `const kept = read.get(organizationId + jobId)
  const job =
    kept && kept.untilMs > Date.now() ? kept.job : await jobs.orm.em.fork().findOne(JobEntity, { id: jobId, organizationId, mode })
  if (job && kept?.job !== job) read.set(organizationId + jobId, { job, untilMs: Date.now() + 2_000 })`,
      },
      {
        file: 'services/jobs/rpc/get-job.ts',
        find: '/** @throws ApiError',
        replace: `const read = new Map<string, { job: Parameters<typeof jobToProto>[0]; untilMs: number }>()

/** @throws ApiError`,
      },
    ],
    noticedBy: ['S7'],
  },
]
