/** What a run of `upgrade` must show. */
import { waitForQuiet } from '../chaos/quiet.ts'
import type { Tenant } from '../chaos/tenants.ts'
import { collectRun } from '../chaos/verdict.ts'
import { checkHistory } from '../checker/check-history.ts'
import type { Stores } from '../checker/collect.ts'
import type { ClientCall, History } from '../checker/history.ts'
import { ENVIRONMENT, type Followed, type Phase, type Upgrade } from './start-previous.ts'

export interface Fact {
  title: string
  problems: string[]
}

/** Webhooks are delivered late while the machine is busy. */
const QUIET_TIMEOUT_MS = 90_000
/** The answers of requests for the job of another organization, and of another body with the same `Idempotency-Key`. */
const REFUSALS = [404, 409, 410, 422]

/** Waits until the system is idle. */
export async function checkUpgrade(
  upgrade: Upgrade,
  onProgress: (line: string) => void,
): Promise<{ facts: Fact[]; history: History }> {
  const { stores, tenants, recorder, phases, followed } = upgrade
  onProgress('waiting until the system is idle')
  const agents = tenants.map(({ files }) => files)
  const busy = await waitForQuiet(stores, agents, QUIET_TIMEOUT_MS)
  for (const { jobs, events } of followed.values()) await Promise.all([jobs.finish(), events.finish()])
  onProgress('checking')
  const recorded = { calls: recorder.calls, leaks: [...recorder.leaks] }
  const history = await collectRun(stores, upgrade, ENVIRONMENT, recorded)
  const violations = checkHistory(history).map(({ group, subject, message }) => `${group} ${subject}: ${message}`)
  const facts = [
    { title: 'no request fails', problems: recorder.calls.filter(hasFailed).map(describeCall) },
    { title: 'no computer goes offline while services are replaced', problems: findOffline(history, upgrade) },
    { title: 'nothing is lost or doubled', problems: [...(busy ? [`There are ${busy}.`] : []), ...violations] },
    { title: 'followers get every job and event once, in order', problems: await checkFollowed(followed, stores) },
    { title: 'agents of both releases print for services of both', problems: checkPrints(history, tenants, phases) },
  ]
  return { facts, history }
}

const hasFailed = ({ status }: ClientCall) =>
  status === undefined || (status !== 200 && status !== 201 && !REFUSALS.includes(status))

const describeCall = ({ kind, status, marker = '', startedAtMs }: ClientCall) =>
  `${new Date(startedAtMs).toISOString()} ${kind} ${marker}: ${status ?? 'no answer'}`

function findOffline({ database }: History, { tenants, expectedOffline }: Upgrade): string[] {
  const offline = database.feed.filter(({ type }) => type === 'computer.offline')
  return offline.flatMap(({ resourceId, occurredAtMs }) => {
    const { name } = tenants.find(({ files }) => files.computerId === resourceId)?.files ?? { name: resourceId }
    const isExpected = expectedOffline.some(
      ({ agent, startedAtMs, endedAtMs }) => agent === name && occurredAtMs >= startedAtMs && occurredAtMs <= endedAtMs,
    )
    return isExpected ? [] : [`${name} was offline at ${new Date(occurredAtMs).toISOString()}.`]
  })
}

async function checkFollowed(
  followed: Map<Tenant, { jobs: Followed; events: Followed }>,
  { database }: Stores,
): Promise<string[]> {
  const problems: string[] = []
  for (const [{ organizationId, mode }, lists] of followed)
    for (const [table, { ids }] of [
      ['jobs.job', lists.jobs],
      ['webhooks.event', lists.events],
    ] as const) {
      const sql = `SELECT id FROM ${table} WHERE organization_id = $1 AND mode = $2 ORDER BY commit_seq, id`
      const { rows } = await database.query<{ id: string }>(sql, [organizationId, mode])
      const missing = rows.filter(({ id }) => !ids.includes(id))
      const wrongAt = rows.findIndex(({ id }, n) => id !== ids[n])
      if (missing.length > 0) problems.push(`${table}: ${missing.length} of ${rows.length} are missing.`)
      if (ids.length !== new Set(ids).size) problems.push(`${table}: some came more than once.`)
      if (wrongAt !== -1) problems.push(`${table}: another order from ${wrongAt} of ${rows.length} on.`)
    }
  return problems
}

function checkPrints({ database }: History, tenants: Tenant[], phases: Phase[]): string[] {
  return phases.flatMap(({ name, startedAtMs, endedAtMs }) =>
    tenants
      .filter(({ files }) => {
        const own = database.jobs.filter(({ computerId }) => computerId === files.computerId)
        return !own.some(
          ({ state, printingAtMs, finishedAtMs }) =>
            state === 'done' && (printingAtMs ?? 0) >= startedAtMs && (finishedAtMs ?? Infinity) <= endedAtMs,
        )
      })
      .map(({ files }) => `${files.name} printed no job in the phase "${name}".`),
  )
}
