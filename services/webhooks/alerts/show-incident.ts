import { explain } from '@platen/resources/explain/explain.ts'
import type { DeviceEvent } from '@platen/resources/explain/facts.ts'
import { toDate, toFacts } from '@platen/resources/explain/to-facts.ts'
import { orMissing } from '@platen/runtime/rpc/or-missing.ts'
import { readEvents } from '../events/read-events.ts'
import type { Webhooks } from '../webhooks.ts'
import type { Incident } from './incident.ts'
import type { Shown } from './incident-mail.ts'

/** The events of the printer and the computer. */
const EVENTS_READ = 100

type Context = Pick<Webhooks, 'pool' | 'clock' | 'jobs' | 'devices' | 'eventRetentionMs'>

/** Adds the names of devices and the explanation of the job, as `GET /v1/printjobs/{id}/explanation` has it. */
export async function showIncident(webhooks: Context, incident: Incident): Promise<Shown> {
  const { kind, resourceId, jobId, mode, since, solvedAt, facts } = incident
  const shown = { kind, resourceId, jobId, mode, since, solvedAt, ...facts, explanation: undefined }
  if (kind !== 'job_failed' && kind !== 'job_waiting') return shown
  const { organizationId, computerId } = incident
  const tenant = { organizationId, mode }
  const [found, printer, computer] = await Promise.all([
    jobId ? orMissing(webhooks.jobs.getJobDetails({ ...tenant, jobId })) : undefined,
    orMissing(webhooks.devices.getPrinter({ ...tenant, printerId: resourceId })),
    orMissing(webhooks.devices.getComputer({ ...tenant, computerId })),
  ])
  const names = { printer: printer?.printer?.displayName ?? '', computer: computer?.computer?.name ?? '' }
  const details = found?.details
  if (!details?.job || incident.notifiedAt) return { ...shown, ...names }
  const events = await readEvents(webhooks.pool, {
    ...tenant,
    types: [],
    resourceIds: [resourceId, computerId],
    occurredBefore: toDate(details.job.finishedAt),
    retainedSince: new Date(webhooks.clock.now().getTime() - webhooks.eventRetentionMs),
    after: undefined,
    ascending: false,
    rows: EVENTS_READ,
  })
  const deviceEvents = events.events.map(({ body }) => JSON.parse(body) as DeviceEvent).toReversed()
  const all = { details, printer: printer?.printer, computer: computer?.computer, deviceEvents }
  const { headline, cause, actions } = explain(toFacts(all, webhooks.clock.now()))
  const explanation = { title: details.job.title, headline, cause, actions: actions.map(({ text }) => text) }
  return { ...shown, ...names, explanation }
}
