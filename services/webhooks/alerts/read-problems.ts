/** Reads from other services what incidents depend on. No transaction is open meanwhile. */
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { FoundMember } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import {
  ALERT_MINUTES,
  type AlertKindName,
  ENDPOINT_ALERT_KINDS,
  ENDPOINT_ALERT_ROLES,
} from '@platen/resources/alert-kinds.ts'
import type { Webhooks } from '../webhooks.ts'
import type { Problem } from './incident.ts'
import { type MemberKey, OFFLINE_RULE, toMemberKey } from './members.ts'
import { listFailingOrganizations, readEndpoints } from './read-endpoints.ts'

const MINUTE_MS = 60_000

/** The shortest duration of a rule: younger jobs are no problem. */
const WAITING_MIN_MS = ALERT_MINUTES.min * MINUTE_MS

/** The organizations of one call, whose response has at most 16 MiB. */
const ORGANIZATIONS_MAX = 100
/** The problems of an organization. Those that have an incident are among them. */
const PROBLEMS_MAX = 200
/** If so many organizations fail one after the other, the cause is in another service. */
const FAILURES_MAX = 3

export interface Watched {
  organizationId: string
  /** The members with rules. */
  userIds: string[]
  /** Devices of rules and incidents. */
  resourceIds: string[]
  hasWaitingRules: boolean
}

/** One row for each organization with rules or incidents. */
const WATCHED = `
SELECT organization_id AS "organizationId",
  ARRAY(
    SELECT user_id FROM webhooks.alert_member WHERE alert_member.organization_id = member.organization_id
  ) AS "userIds",
  ARRAY(
    SELECT COALESCE(computer_id, printer_id) FROM webhooks.alert_rule
    WHERE alert_rule.organization_id = member.organization_id AND COALESCE(computer_id, printer_id) IS NOT NULL
    UNION SELECT unnest(ARRAY[resource_id, computer_id]) FROM webhooks.incident
    WHERE incident.organization_id = member.organization_id AND kind <> ALL ($1::text[])
  ) AS "resourceIds",
  EXISTS (
    SELECT FROM webhooks.alert_rule WHERE alert_rule.organization_id = member.organization_id AND kind = 'job_waiting'
  ) AS "hasWaitingRules"
FROM (SELECT DISTINCT organization_id FROM webhooks.alert_member) AS member`

export interface Found {
  organizationIds: string[]
  problems: Problem[]
  missing: Set<string>
  owners: MemberKey[]
  /** The members with `ENDPOINT_ALERT_ROLES`, as `toMemberKey`. */
  managers: Set<string>
  /** Users with rules who are no members. */
  gone: MemberKey[]
}

type Context = Pick<Webhooks, 'pool' | 'clock' | 'accounts' | 'devices' | 'jobs' | 'suspended' | 'log'>

/**
 * An organization whose problems cannot be read is left out, so that it delays no alert of another one.
 *
 * @throws ApiError if another service does not answer.
 */
export async function readProblems(webhooks: Context): Promise<Found> {
  const { suspended, log } = webhooks
  const watched = (await listWatched(webhooks)).filter(({ organizationId }) => !suspended.has(organizationId))
  const found: Found = {
    organizationIds: [],
    problems: [],
    missing: new Set(),
    owners: [],
    managers: new Set(),
    gone: [],
  }
  let failures = 0

  async function add(some: Watched[]): Promise<void> {
    try {
      await addFound(webhooks, some, found)
      failures = 0
    } catch (error) {
      if (some.length > 1) {
        const half = Math.ceil(some.length / 2)
        await add(some.slice(0, half))
        await add(some.slice(half))
        return
      }
      if (++failures >= Math.min(FAILURES_MAX, watched.length)) throw error
      log.error({ err: error, organization_id: some[0]?.organizationId }, 'alerts of an organization not evaluated')
    }
  }

  for (let n = 0; n < watched.length; n += ORGANIZATIONS_MAX) await add(watched.slice(n, n + ORGANIZATIONS_MAX))
  return found
}

/** The organizations with rules, and those with computers and endpoints that default rules report. */
async function listWatched({ pool, clock, devices }: Context): Promise<Watched[]> {
  const now = clock.now().getTime()
  const [{ rows }, failing, { organizationIds }] = await Promise.all([
    pool.query<Watched>(WATCHED, [ENDPOINT_ALERT_KINDS]),
    listFailingOrganizations(pool),
    devices.listOfflineOrganizations({
      lastSeenAfter: timestampFromDate(new Date(now - OFFLINE_RULE.sinceMs)),
      lastSeenBefore: timestampFromDate(new Date(now - OFFLINE_RULE.afterMinutes * MINUTE_MS)),
    }),
  ])
  const known = new Set(rows.map(({ organizationId }) => organizationId))
  const others = [...new Set([...failing, ...organizationIds])].filter((id) => !known.has(id))
  const nothing = { userIds: [], resourceIds: [], hasWaitingRules: false }
  return [...rows, ...others.map((organizationId) => ({ organizationId, ...nothing }))]
}

async function addFound({ pool, accounts, devices, jobs, clock }: Context, watched: Watched[], found: Found) {
  const organizationIds = watched.map(({ organizationId }) => organizationId)
  const waitingIds = watched.filter(({ hasWaitingRules }) => hasWaitingRules).map((one) => one.organizationId)
  const createdBefore = timestampFromDate(new Date(clock.now().getTime() - WAITING_MIN_MS))
  const [{ members }, { problems, missingIds }, { printers }, endpoints] = await Promise.all([
    accounts.findMembers({ organizationIds, userIds: [...new Set(watched.flatMap(({ userIds }) => userIds))] }),
    devices.listProblems({
      organizationIds,
      resourceIds: watched.flatMap(({ resourceIds }) => resourceIds),
      limit: PROBLEMS_MAX,
      withDestinations: true,
    }),
    jobs.listWaitingPrinters({ organizationIds: waitingIds, createdBefore }),
    readEndpoints(pool, organizationIds),
  ])
  found.organizationIds.push(...organizationIds)
  found.owners.push(...members.filter(({ role }) => role === 'owner'))
  for (const member of members) if (ENDPOINT_ALERT_ROLES.includes(member.role)) found.managers.add(toMemberKey(member))
  found.gone.push(...findGone(watched, members))
  for (const id of [...missingIds, ...endpoints.missingIds]) found.missing.add(id)
  found.problems.push(...endpoints.problems)
  for (const { organizationId, mode, computerId, printerId, since, ...more } of problems)
    found.problems.push({
      organizationId,
      mode,
      kind: more.kind as AlertKindName,
      resourceId: printerId || computerId,
      computerId,
      jobId: null,
      since: since ? timestampDate(since) : null,
      facts: { computer: more.computerName, printer: more.printerName, detail: more.detail, jobs: 0 },
    })
  for (const { organizationId, mode, printerId, computerId, jobId, createdAt } of printers)
    found.problems.push({
      organizationId,
      mode,
      kind: 'job_waiting',
      resourceId: printerId,
      computerId,
      jobId,
      since: createdAt ? timestampDate(createdAt) : null,
      facts: { computer: '', printer: '', detail: '', jobs: 0 },
    })
}

function findGone(watched: Watched[], members: FoundMember[]): MemberKey[] {
  const present = new Set(members.map(toMemberKey))
  return watched
    .flatMap(({ organizationId, userIds }) => userIds.map((userId) => ({ organizationId, userId })))
    .filter((member) => !present.has(toMemberKey(member)))
}
