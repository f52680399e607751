/**
 * The text of an alert: of one incident, or a digest. Contains no document and no URL of others. Reference:
 * docs/alerts.md.
 */
import { ALERT_TEXTS } from '@platen/resources/alert-texts.ts'
import { fillIn } from '@platen/resources/explain/texts.ts'
import { toLine, toShortLine } from '@platen/runtime/mail/to-line.ts'
import type { Facts, Incident } from './incident.ts'

/** An incident with the names of its devices. */
export interface Shown extends Facts, Pick<Incident, 'kind' | 'resourceId' | 'jobId' | 'mode' | 'since' | 'solvedAt'> {
  /** The explanation of the job. Undefined for problems of devices, and if the job no longer exists. */
  explanation: { title: string; headline: string; cause: string; actions: string[] } | undefined
}

export interface MailFacts {
  organization: { id: string; name: string }
  /** New ones. */
  problems: Shown[]
  /** The incidents of an earlier mail that have ended. */
  solved: Shown[]
  /** Number of incidents that are not shown. */
  omitted: number
  publicUrl: string | undefined
}

export function toIncidentMail(facts: MailFacts): { subject: string; text: string } {
  const { organization, problems, solved, omitted, publicUrl } = facts
  const mode = [...problems, ...solved].every((shown) => shown.mode === 'test') ? 'test' : 'live'
  const paragraphs = [
    ...problems.map((shown) => describeProblem(shown, publicUrl)),
    ...(solved.length > 0 ? ['Solved:'] : []),
    ...solved.map((shown) => [...describe(toSolved(shown), shown), ...toLink(shown.resourceId, publicUrl)].join('\n')),
    ...(omitted > 0 ? [`${omitted} more are not shown here.`] : []),
    `You receive this e-mail because of your alerts in ${toShortLine(organization.name)}.`,
    ...(publicUrl === undefined
      ? []
      : [`Change them or switch them off:\n${publicUrl}/app/${mode}/alerts?org=${organization.id}`]),
  ]
  return { subject: toSubject(facts), text: `${paragraphs.join('\n\n')}\n` }
}

function toSubject({ problems, solved, omitted, organization }: MailFacts): string {
  const count = problems.length + solved.length + omitted
  if (count > 1) return `${count} alerts in ${toShortLine(organization.name)}`
  const sentences = [...problems.map(toProblem), ...solved.map((shown) => `Solved: ${toSolved(shown)}`)]
  return sentences.join('').replace(/\.$/, '')
}

const fill = (text: string, { computer, printer, endpoint = '', detail }: Shown) =>
  fillIn(
    text,
    { computer: toShortLine(computer), printer: toShortLine(printer), endpoint: toShortLine(endpoint) },
    toShortLine(detail),
  )

const toProblem = (shown: Shown) => fill(ALERT_TEXTS[shown.kind].problem(shown), shown)

const toSolved = (shown: Shown) => fill(ALERT_TEXTS[shown.kind].solved, shown)

const describe = (sentence: string, { mode }: Shown) => [mode === 'test' ? `${sentence} (test mode)` : sentence]

function describeProblem(shown: Shown, publicUrl: string | undefined): string {
  const { explanation, kind, jobId, resourceId, solvedAt } = shown
  const actions = explanation?.actions ?? ALERT_TEXTS[kind].todo(shown).map((text) => fill(text, shown))
  return [
    ...describe(toProblem(shown), shown),
    ...(explanation
      ? [`Job "${toShortLine(explanation.title)}": ${explanation.headline}. ${toLine(explanation.cause)}`]
      : []),
    ...(solvedAt ? [toSolved(shown)] : []),
    ...actions.map((action) => `- ${toLine(action)}`),
    ...toLink(jobId ?? resourceId, publicUrl),
  ].join('\n')
}

/** The page of any id. Without the address of the dashboard a mail has no links. */
const toLink = (id: string, publicUrl: string | undefined) =>
  publicUrl === undefined ? [] : [`${publicUrl}/app/go/${id}`]
