/**
 * S9: an unacknowledged job is sent again at most three times, not too early, and given back only after that; it does not stay as it is
 * for long; nothing expires before its time or is received long after it.
 *
 * A hello is a chance to resend at once (decisions, "Jobs"), and leaves a trace only once it is welcomed. So a resend that is
 * early needs a welcome of its computer soon after it, or a fault that can have come between the two.
 */
import type { History, JobEventRow } from '../history.ts'
import { AT_ONCE_MS, doneBy, isDisturbed } from './disturbances.ts'
import type { Facts, JobFacts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const CLOCK_TOLERANCE_MS = 20

const violation = violationOf('S9')

export function checkResends({ jobs, history }: Facts): Violation[] {
  return [...jobs.values()].flatMap((job) => [
    ...checkRounds(job, history),
    ...checkWaits(job, history),
    ...checkExpiry(job, history),
  ])
}

function checkRounds({ row, events }: JobFacts, history: History): Violation[] {
  const { resendsMax, resendAfterMs } = history.settings
  const found: Violation[] = []
  let sent: JobEventRow | undefined
  let resends = 0
  for (const event of events) {
    const waited = sent && (event.state === 'sent' || event.state === 'queued')
    if (sent && waited) {
      const waitedMs = event.createdAtMs - sent.createdAtMs
      const early = waitedMs < resendAfterMs - CLOCK_TOLERANCE_MS && !mayBeAtHello(event, row.computerId, history)
      if (early)
        found.push(
          violation('illegal', row.id, `Event ${event.sequence}: ${event.state} after ${waitedMs} ms in sent.`),
        )
    }
    if (event.state === 'sent') resends = sent ? resends + 1 : 0
    if (event.state === 'sent' && sent && resends === resendsMax + 1)
      found.push(violation('illegal', row.id, `The job was sent again more than ${resendsMax} times in one round.`))
    if (event.state === 'queued' && sent && resends < resendsMax)
      found.push(violation('illegal', row.id, `The job was given back after ${resends} of ${resendsMax} resends.`))
    sent = event.state === 'sent' ? event : undefined
  }
  return found
}

function mayBeAtHello({ createdAtMs }: JobEventRow, computerId: string, { agents, faults }: History): boolean {
  const welcomes = agents.find((agent) => agent.computerId === computerId)?.welcomedAtMs ?? []
  const nextMs = Math.min(...welcomes.filter((atMs) => atMs >= createdAtMs - CLOCK_TOLERANCE_MS))
  if (nextMs === Number.POSITIVE_INFINITY) return false
  return nextMs - createdAtMs <= AT_ONCE_MS || isDisturbed(faults, createdAtMs, createdAtMs + AT_ONCE_MS)
}

function checkWaits({ row, events }: JobFacts, { faults, settings, collectedAtMs }: History): Violation[] {
  return events.flatMap(({ state, createdAtMs }, index) => {
    const leftAtMs = events[index + 1]?.createdAtMs ?? collectedAtMs
    if (state !== 'sent' || leftAtMs <= doneBy(faults, createdAtMs + settings.resendAfterMs)) return []
    const says = `Event ${index + 1}: sent, and neither received nor sent again for ${leftAtMs - createdAtMs} ms.`
    return [violation('stuck', row.id, says)]
  })
}

function checkExpiry({ row, events }: JobFacts, { faults }: History): Violation[] {
  return events.flatMap(({ state, createdAtMs }) => {
    if (state === 'expired' && createdAtMs < row.expiresAtMs)
      return [violation('illegal', row.id, `The job expired ${row.expiresAtMs - createdAtMs} ms before its time.`)]
    if (state === 'received' && createdAtMs > doneBy(faults, row.expiresAtMs))
      return [
        violation('illegal', row.id, `The job was received ${createdAtMs - row.expiresAtMs} ms after it had expired.`),
      ]
    return []
  })
}
