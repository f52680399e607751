/**
 * Compares the problems of devices with the rules and incidents of members. Pure. A problem that ends before its mail
 * has no mail; only a failed job always has one.
 */
import { v7 as uuidv7 } from 'uuid'
import { COLLECT_MS, type Device, type EndedJob, type Incident, type Problem, type Rule } from './incident.ts'

const MINUTE_MS = 60_000

export interface Situation {
  now: Date
  problems: readonly Problem[]
  /** In the order of their events. */
  endedJobs: readonly EndedJob[]
  rules: readonly Rule[]
  incidents: readonly Incident[]
  /** Ids of computers and printers that no longer exist. */
  missing: ReadonlySet<string>
}

export interface Changes {
  /** New and changed incidents. */
  stored: Incident[]
  /** Ids of incidents without a further mail. */
  discarded: string[]
}

export function evaluate({ now, problems, endedJobs, rules, incidents, missing }: Situation): Changes {
  const rulesByScope = Map.groupBy(rules, toScope)
  const findRules = (device: Device) => (rulesByScope.get(toScope(device)) ?? []).filter((rule) => covers(rule, device))
  const current = new Map(incidents.map((incident) => [toKey(incident, incident.userId), incident]))
  const before = new Map(current)
  const isWanted = (incident: Incident) =>
    !missing.has(incident.resourceId) &&
    !missing.has(incident.computerId) &&
    findRules(incident).some(({ userId }) => userId === incident.userId)

  for (const [key, incident] of current) if (!isWanted(incident)) current.delete(key)

  const lasting = new Set<string>()
  for (const problem of problems)
    for (const [userId, minutes] of getMinutes(findRules(problem), problem, now)) {
      const key = toKey(problem, userId)
      lasting.add(key)
      current.set(key, keep(current.get(key), problem, userId, minutes, now))
    }
  for (const [key, incident] of current) {
    if (incident.kind === 'job_failed' || incident.solvedAt || lasting.has(key)) continue
    if (incident.notifiedAt) current.set(key, solve(incident, now))
    else current.delete(key)
  }

  for (const job of endedJobs)
    for (const userId of new Set(findRules(job).map((rule) => rule.userId))) {
      const key = toKey(job, userId)
      const incident = current.get(key)
      if (job.isFailed) current.set(key, addFailure(incident, job, userId, now))
      else if (incident && !incident.solvedAt) current.set(key, solve(incident, now))
    }

  return {
    stored: [...current].filter(([key, incident]) => before.get(key) !== incident).map(([, incident]) => incident),
    discarded: [...before].filter(([key]) => !current.has(key)).map(([, { id }]) => id),
  }
}

const toScope = ({ organizationId, mode, kind }: Pick<Device, 'organizationId' | 'mode' | 'kind'>) =>
  `${organizationId} ${mode} ${kind}`

const toKey = ({ kind, resourceId }: Device, userId: string) => `${userId} ${kind} ${resourceId}`

const covers = ({ computerId, printerId }: Rule, device: Device) =>
  printerId === null ? computerId === null || computerId === device.computerId : printerId === device.resourceId

/** The shortest duration, for each member, of the rules that apply. */
function getMinutes(rules: readonly Rule[], { kind, since }: Problem, now: Date): Map<string, number> {
  const minutes = new Map<string, number>()
  for (const { userId, afterMinutes, problemsSince } of rules) {
    const begin = since ?? now
    if (problemsSince && begin < problemsSince) continue
    // Nothing is wrong with a job that has not waited for long. The oldest job changes all the time.
    if (kind === 'job_waiting' && addMinutes(begin, afterMinutes) > now) continue
    minutes.set(userId, Math.min(minutes.get(userId) ?? afterMinutes, afterMinutes))
  }
  return minutes
}

const addMinutes = (time: Date, minutes: number) => new Date(time.getTime() + minutes * MINUTE_MS)

/** @returns the same object if nothing has changed. */
function keep(incident: Incident | undefined, problem: Problem, userId: string, minutes: number, now: Date): Incident {
  const { organizationId, mode, kind, resourceId, computerId, jobId, facts } = problem
  const device = { organizationId, mode, kind, resourceId, computerId }
  if (incident?.solvedAt) return { ...incident, solvedAt: null, dueAt: null }
  if (incident?.notifiedAt) return incident
  const since = problem.since ?? incident?.since ?? now
  const dueAt = new Date(addMinutes(since, minutes).getTime() + COLLECT_MS)
  const next = { ...device, jobId, facts, since, dueAt }
  if (!incident) return { ...next, id: uuidv7(), userId, notifiedAt: null, solvedAt: null }
  const isSame =
    incident.dueAt?.getTime() === dueAt.getTime() &&
    incident.jobId === jobId &&
    JSON.stringify(Object.entries(incident.facts).toSorted()) === JSON.stringify(Object.entries(facts).toSorted())
  return isSame ? incident : { ...incident, ...next }
}

/** A member who was not notified yet keeps the time of the mail, which a failed job always has. */
const solve = (incident: Incident, now: Date): Incident => ({
  ...incident,
  solvedAt: now,
  dueAt: incident.notifiedAt ? new Date(now.getTime() + COLLECT_MS) : incident.dueAt,
})

function addFailure(incident: Incident | undefined, job: EndedJob, userId: string, now: Date): Incident {
  const { organizationId, mode, kind, resourceId, computerId, jobId, at } = job
  const device = { organizationId, mode, kind, resourceId, computerId }
  if (!incident) {
    const facts = { computer: '', printer: '', detail: '', jobs: 1 }
    const dueAt = new Date(now.getTime() + COLLECT_MS)
    return { ...device, id: uuidv7(), userId, jobId, facts, since: at, dueAt, notifiedAt: null, solvedAt: null }
  }
  if (incident.notifiedAt) return incident.solvedAt ? { ...incident, solvedAt: null, dueAt: null } : incident
  return { ...incident, jobId, facts: { ...incident.facts, jobs: incident.facts.jobs + 1 }, solvedAt: null }
}
