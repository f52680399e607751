/** The text of an alert. Reference: docs/reference/webhooks.md#alerts-by-e-mail. */
import type { ErrorClass } from '../delivery/send.ts'
import type { Webhooks } from '../webhooks.ts'
import type { Severity } from './add-alerts.ts'

export interface AlertFacts {
  severity: Severity
  endpointId: string
  mode: string
  /** The mail contains only the host, because path and query often contain tokens. */
  url: string
  failingSince: Date
  /** Of the latest failed attempt. */
  lastError: ErrorClass | null
  lastStatusCode: number | null
}

/** The settings of this installation. */
export type Durations = Pick<Webhooks, 'timeoutMs' | 'retriedForMs' | 'disableAfterMs' | 'eventRetentionMs'>

const REASONS: Record<ErrorClass, [cause: string, hint?: string]> = {
  timeout: ['no answer in time', 'let the endpoint answer first and work afterwards'],
  dns: ['its host name has no address', 'check the name and its DNS'],
  connect: ['no connection', 'check that the server runs and its firewall lets us in'],
  tls: ['its certificate cannot be trusted', 'check that it is valid, complete and for this host name'],
  blocked_address: ['its host name leads to a private address', 'use a public one'],
  redirect: ['it answered with a redirect, which is not followed', 'use the final URL'],
  status: ['its answer was no success'],
}

/** Aligns a second line with the facts above it. */
const INDENT = ' '.repeat(16)

/** Plain text in lines of at most 76 characters, which mail servers do not wrap. Only a long host name makes a longer line. */
export function toAlertMail(facts: AlertFacts, durations: Durations): { subject: string; text: string } {
  const { severity, url, endpointId, mode, failingSince } = facts
  const { host } = new URL(url)
  const disabled = severity === 'disabled'
  const subject = disabled
    ? `Your webhook endpoint at ${host} was disabled`
    : `Your webhook endpoint at ${host} has been failing for ${severity}`
  const paragraphs = [
    disabled
      ? `A webhook endpoint of your organization took no delivery for ${formatDuration(durations.disableAfterMs)}\nand was disabled.`
      : `A webhook endpoint of your organization has taken no delivery for ${severity}.`,
    [
      `Endpoint:       ${endpointId} (${mode} mode)`,
      `Host:           ${host}`,
      `Failing since:  ${formatTime(failingSince)}`,
      `Last failure:   ${describeFailure(facts)}`,
    ].join('\n'),
    disabled ? nextStepsDisabled(durations) : nextSteps(facts, durations),
    disabled ? adviceDisabled(facts, durations) : advice(facts, durations),
  ]
  return { subject, text: `${paragraphs.join('\n\n')}\n` }
}

function describeFailure({ lastError, lastStatusCode }: AlertFacts): string {
  if (lastError === null) return 'unknown'
  const [cause, hint] = REASONS[lastError]
  const status = lastStatusCode === null ? '' : ` (HTTP status ${lastStatusCode})`
  return `${cause}${status}${hint === undefined ? '' : `\n${INDENT}${hint}`}`
}

function nextSteps({ failingSince }: AlertFacts, { retriedForMs, disableAfterMs }: Durations): string {
  const disabledAt = new Date(failingSince.getTime() + disableAfterMs)
  return `What happens next: each delivery is tried again for about ${formatDuration(retriedForMs)}. If
none succeeds until ${formatTime(disabledAt)}, the endpoint is disabled.`
}

const nextStepsDisabled = ({
  eventRetentionMs,
}: Durations) => `What happens next: nothing is sent to it. Its events are kept for
${formatDuration(eventRetentionMs)}, as deliveries with the status \`missed\`.`

const advice = (
  { endpointId }: AlertFacts,
  { timeoutMs }: Durations,
) => `What to do: make the endpoint answer with a 2xx status within ${formatDuration(timeoutMs)}.
Each attempt and its answer can be read at
  GET /v1/webhooks/${endpointId}/deliveries
An endpoint that is not needed any more can be disabled or deleted.`

const adviceDisabled = (
  { endpointId, failingSince }: AlertFacts,
  { timeoutMs }: Durations,
) => `What to do: make the endpoint answer with a 2xx status within ${formatDuration(timeoutMs)},
then enable it and have what it missed delivered:
  PATCH /v1/webhooks/${endpointId}
  {"enabled": true}
  POST /v1/webhooks/${endpointId}/replay
  {"since": "${failingSince.toISOString()}"}`

/** `2026-01-02 03:04 UTC`. */
const formatTime = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

function formatDuration(ms: number): string {
  if (ms < 2 * MINUTE_MS) return `${Math.ceil(ms / 1000)} seconds`
  const hours = Math.round(ms / HOUR_MS)
  if (hours < 2) return `${Math.ceil(ms / MINUTE_MS)} minutes`
  return hours > 48 ? `${Math.round(hours / 24)} days` : `${hours} hours`
}
