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
  /** The error of the latest failed attempt. */
  lastError: ErrorClass | null
  lastStatusCode: number | null
}

/** The settings of this installation. */
export type Durations = Pick<Webhooks, 'timeoutMs' | 'retriedForMs' | 'disableAfterMs' | 'eventRetentionMs'>

const REASONS: Record<ErrorClass, [cause: string, hint?: string]> = {
  timeout: ['no response within the timeout', 'respond first and process the event afterwards'],
  dns: ['the host name does not resolve', 'check the name and its DNS'],
  connect: ['the connection failed', 'check the server and its firewall'],
  tls: ['the certificate is not trusted', 'check its validity, its chain and its host name'],
  blocked_address: ['the host name resolves to a private address', 'use a public address'],
  redirect: ['the response was a redirect', 'use the final URL, because redirects are not followed'],
  status: ['the response was not successful'],
  secret: ['its secret cannot be decrypted', 'rotate the secret'],
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
      ? `A webhook endpoint of your organization was disabled because it had no\nsuccessful delivery for ${formatDuration(durations.disableAfterMs)}.`
      : `A webhook endpoint of your organization has had no successful delivery\nfor ${severity}.`,
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
  return `What happens next: each delivery is retried for about ${formatDuration(retriedForMs)}. Without
a success until ${formatTime(disabledAt)}, the endpoint is disabled.`
}

const nextStepsDisabled = ({
  eventRetentionMs,
}: Durations) => `What happens next: no events are sent to it. They are stored for
${formatDuration(eventRetentionMs)}, as deliveries with the status \`missed\`.`

const advice = (
  { endpointId }: AlertFacts,
  { timeoutMs }: Durations,
) => `What to do: make the endpoint respond with a 2xx status within ${formatDuration(timeoutMs)}.
Read each attempt and its response at
  GET /v1/webhooks/${endpointId}/deliveries
Disable or delete the endpoint if it is not needed any more.`

const adviceDisabled = (
  { endpointId, failingSince }: AlertFacts,
  { timeoutMs }: Durations,
) => `What to do: make the endpoint respond with a 2xx status within ${formatDuration(timeoutMs)},
then enable it and replay the missed deliveries:
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
