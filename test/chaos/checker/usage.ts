/**
 * S12: the ledger is a recount of the jobs. Each live job is one print of its organization, by its first event, whatever became of it;
 * nothing else is a print; and each count is the number of prints of its calendar month (UTC).
 */
import type { CountRow, LedgerRow } from '../history.ts'
import type { Facts, JobFacts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const violation = violationOf('S12')

export function checkUsage({ jobs, history }: Facts): Violation[] {
  const { ledger, counts } = history.database
  const prints = Map.groupBy(ledger, ({ jobId }) => jobId)
  return [
    ...[...jobs.values()].flatMap((job) => checkPrints(job, prints.get(job.row.id) ?? [])),
    ...ledger
      .filter(({ jobId }) => !jobs.has(jobId))
      .map(({ jobId }) => violation('illegal', jobId, 'The ledger has a print of a job that does not exist.')),
    ...checkCounts([...jobs.values()], counts),
  ]
}

function checkPrints({ row, events }: JobFacts, prints: LedgerRow[]): Violation[] {
  const [print, ...others] = prints
  if (row.mode !== 'live')
    return print ? [violation('illegal', row.id, `A ${row.mode} job is in the ledger of prints.`)] : []
  if (!print) return [violation('lost', row.id, 'A live job is not in the ledger of prints.')]
  if (others.length > 0) return [violation('doubled', row.id, `The job is in the ledger ${prints.length} times.`)]
  const isRight =
    print.eventId === events[0]?.id &&
    print.organizationId === row.organizationId &&
    print.jobCreatedAtMs === row.createdAtMs
  return isRight ? [] : [violation('other', row.id, 'The ledger tells something else of the job than the job does.')]
}

function checkCounts(jobs: JobFacts[], counts: CountRow[]): Violation[] {
  const expected = new Map<string, number>()
  for (const { row } of jobs) {
    if (row.mode !== 'live') continue
    const created = new Date(row.createdAtMs)
    const period = periodOf(row.organizationId, Date.UTC(created.getUTCFullYear(), created.getUTCMonth()))
    expected.set(period, (expected.get(period) ?? 0) + 1)
  }
  const counted = new Map(counts.map((row) => [periodOf(row.organizationId, row.periodStartMs), row.prints]))
  return [...new Set([...expected.keys(), ...counted.keys()])]
    .filter((period) => counted.get(period) !== expected.get(period))
    .map((period) => {
      const [is = 0, should = 0] = [counted.get(period), expected.get(period)]
      return violation(is < should ? 'lost' : 'doubled', period, `${is} prints are counted rather than ${should}.`)
    })
}

const periodOf = (organizationId: string, startMs: number) =>
  `${organizationId} ${new Date(startMs).toISOString().slice(0, 7)}`
