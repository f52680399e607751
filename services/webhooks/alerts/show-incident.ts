import { explain } from '@platen/resources/explain/explain.ts'
import type { Found } from '@platen/resources/explain/facts.ts'
import { toDate, toFacts } from '@platen/resources/explain/to-facts.ts'
import { orMissing } from '@platen/runtime/rpc/or-missing.ts'
import { type Feed, readJobFacts } from '@platen/runtime/rpc/read-job-facts.ts'
import { readEvents } from '../events/read-events.ts'
import type { Webhooks } from '../webhooks.ts'
import type { Incident } from './incident.ts'
import type { Shown } from './incident-mail.ts'

type Context = Pick<Webhooks, 'pool' | 'clock' | 'jobs' | 'devices' | 'eventRetentionMs'>

/** Adds the names of devices and the explanation of the job, as `GET /v1/printjobs/{id}/explanation` has it. */
export async function showIncident(webhooks: Context, incident: Incident): Promise<Shown> {
  const { kind, resourceId, jobId, mode, since, solvedAt, facts } = incident
  const shown = { kind, resourceId, jobId, mode, since, solvedAt, ...facts, explanation: undefined }
  if (kind !== 'job_failed' && kind !== 'job_waiting') return shown
  const { organizationId } = incident
  const found = jobId ? await orMissing(webhooks.jobs.getJobDetails({ organizationId, mode, jobId })) : undefined
  const details = found?.details
  if (!details?.job || incident.notifiedAt) return { ...shown, ...(await readNames(webhooks, incident)) }
  const jobFacts = await readJobFacts({ devices: webhooks.devices, events: toFeed(webhooks) }, details)
  const { headline, cause, actions } = explain(toFacts(jobFacts, webhooks.clock.now()))
  const explanation = { title: details.job.title, headline, cause, actions: actions.map(({ text }) => text) }
  return { ...shown, ...toNames(jobFacts), explanation }
}

async function readNames({ devices }: Context, { organizationId, mode, resourceId, computerId }: Incident) {
  const [found, answer] = await Promise.all([
    orMissing(devices.getPrinter({ organizationId, mode, printerId: resourceId })),
    orMissing(devices.getComputer({ organizationId, mode, computerId })),
  ])
  return toNames({ printer: found?.printer, computer: answer?.computer })
}

const toNames = ({ printer, computer }: Pick<Found, 'printer' | 'computer'>) => ({
  printer: printer?.displayName ?? '',
  computer: computer?.name ?? '',
})

const toFeed = ({ pool, clock, eventRetentionMs }: Context): Feed => ({
  async listEvents({ occurredBefore, page, ...query }) {
    const { events } = await readEvents(pool, {
      ...query,
      types: [],
      occurredBefore: toDate(occurredBefore),
      retainedSince: new Date(clock.now().getTime() - eventRetentionMs),
      after: undefined,
      ascending: false,
      rows: page.limit,
    })
    return { events: events.map(({ body }) => body) }
  },
})
