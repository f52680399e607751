/** The text of an alert. Reference: docs/reference/webhooks.md#alerts-by-e-mail. */
import type { Webhooks } from '../webhooks.ts'

export type Stage = '1 hour' | '1 day' | '4 days' | 'disabled'

export interface NoticeFacts {
  stage: Stage
  endpointId: string
  mode: string
  /** Of the endpoint. Its path and query often hold tokens, so that its host alone is told. */
  url: string
  failingSince: Date
  /** Of the newest attempt that failed. */
  lastError: string | null
  lastStatusCode: number | null
}

/** How this installation was set. */
export type Durations = Pick<Webhooks, 'timeoutMs' | 'retriedForMs' | 'disableAfterMs' | 'eventRetentionMs'>

/** By the error class of an attempt: what was wrong, and what to look at. */
const REASONS: Record<string, [what: string, hint?: string]> = {
  timeout: ['no answer in time', 'let the endpoint answer first and work afterwards'],
  dns: ['its host name has no address', 'check the name and its DNS'],
  connect: ['no connection', 'check that the server runs and its firewall lets us in'],
  tls: ['its certificate cannot be trusted', 'check that it is valid, complete and for this host name'],
  blocked_address: ['its host name leads to a private address', 'use a public one'],
  redirect: ['it answered with a redirect, which is not followed', 'use the final URL'],
  status: ['its answer was no success'],
}

/** Under the facts. */
const INDENT = ' '.repeat(16)

/** Plain text in lines of at most 76 characters, which mail leaves as they are. Only a long host name makes a longer one. */
export function noticeMail(facts: NoticeFacts, durations: Durations): { subject: string; text: string } {
  const { stage, url, endpointId, mode, failingSince } = facts
  const { host } = new URL(url)
  const disabled = stage === 'disabled'
  const subject = disabled
    ? `Your webhook endpoint at ${host} was disabled`
    : `Your webhook endpoint at ${host} has been failing for ${stage}`
  const paragraphs = [
    disabled
      ? `A webhook endpoint of your organization took no delivery for ${duration(durations.disableAfterMs)}\nand was disabled.`
      : `A webhook endpoint of your organization has taken no delivery for ${stage}.`,
    [
      `Endpoint:       ${endpointId} (${mode} mode)`,
      `Host:           ${host}`,
      `Failing since:  ${shown(failingSince)}`,
      `Last failure:   ${reason(facts)}`,
    ].join('\n'),
    disabled ? whatHappensDisabled(durations) : whatHappens(facts, durations),
    disabled ? whatToDoDisabled(facts, durations) : whatToDo(facts, durations),
  ]
  return { subject, text: `${paragraphs.join('\n\n')}\n` }
}

function reason({ lastError, lastStatusCode }: NoticeFacts): string {
  if (lastError === null) return 'not known any more'
  const [what, hint] = REASONS[lastError] ?? [lastError]
  const status = lastStatusCode === null ? '' : ` (HTTP status ${lastStatusCode})`
  return `${what}${status}${hint === undefined ? '' : `\n${INDENT}${hint}`}`
}

function whatHappens({ failingSince }: NoticeFacts, { retriedForMs, disableAfterMs }: Durations): string {
  const disabledAt = new Date(failingSince.getTime() + disableAfterMs)
  return `What happens next: each delivery is tried again for about ${duration(retriedForMs)}. If
none succeeds until ${shown(disabledAt)}, the endpoint is disabled.`
}

const whatHappensDisabled = ({
  eventRetentionMs,
}: Durations) => `What happens next: nothing is sent to it. Its events are kept for
${duration(eventRetentionMs)}, as deliveries with the status \`missed\`.`

const whatToDo = (
  { endpointId }: NoticeFacts,
  { timeoutMs }: Durations,
) => `What to do: make the endpoint answer with a 2xx status within ${duration(timeoutMs)}.
Each attempt and its answer can be read at
  GET /v1/webhooks/${endpointId}/deliveries
An endpoint that is not needed any more can be disabled or deleted.`

const whatToDoDisabled = (
  { endpointId, failingSince }: NoticeFacts,
  { timeoutMs }: Durations,
) => `What to do: make the endpoint answer with a 2xx status within ${duration(timeoutMs)},
then enable it and have what it missed delivered:
  PATCH /v1/webhooks/${endpointId}
  {"enabled": true}
  POST /v1/webhooks/${endpointId}/replay
  {"since": "${failingSince.toISOString()}"}`

/** `2026-01-02 03:04 UTC`. */
const shown = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

function duration(ms: number): string {
  if (ms < 2 * MINUTE_MS) return `${Math.ceil(ms / 1000)} seconds`
  const hours = Math.round(ms / HOUR_MS)
  if (hours < 2) return `${Math.ceil(ms / MINUTE_MS)} minutes`
  return hours > 48 ? `${Math.round(hours / 24)} days` : `${hours} hours`
}
