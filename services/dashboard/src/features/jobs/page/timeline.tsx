import { useQuery } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import { useLive } from '../../../api/live.tsx'
import { jobDeliveriesQuery } from '../../../api/queries.ts'
import { MarkedText } from '../../../ui/marked-text.tsx'
import { Clock, formatDuration, formatFull, formatMilliseconds, useNow } from '../../../ui/time.tsx'
import { JobState } from '../job-state.tsx'
import type { Delivery } from './deliveries.tsx'
import { type Step, toSteps } from './steps.ts'
import type { Explanation } from './use-explanation.ts'

/** What happened to the job, and meanwhile to its printer and computer, the oldest first. Then what will happen. */
export function Timeline({ explanation }: { explanation: Explanation }) {
  const live = useLive()
  const steps = toSteps(explanation, live.session.user)
  const deliveries = useQuery(jobDeliveriesQuery(live, explanation.jobId)).data?.data ?? []
  return (
    <section aria-label="Timeline" className="panel min-w-0">
      <h2 className="panel-title border-b px-4 py-2">Timeline</h2>
      <ol className="flex flex-col py-1 text-sm">
        {steps.map((step) => (
          <StepRow key={step.id} step={step} deliveries={deliveries.filter(({ eventId }) => eventId === step.id)} />
        ))}
        <Deadlines explanation={explanation} />
      </ol>
    </section>
  )
}

const ROW = 'grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 px-4 py-1 sm:grid-cols-[6.5rem_5rem_7rem_minmax(0,1fr)_auto]'

function StepRow({ step, deliveries }: { step: Step; deliveries: Delivery[] }) {
  const time = (
    <time dateTime={step.at} title={formatFull(step.at)} className="font-mono text-xs leading-5">
      {formatMilliseconds(step.at)}
    </time>
  )
  if (step.kind === 'around')
    return (
      <li className={`${ROW} text-muted`}>
        {time}
        <span className="sm:col-span-4">{step.text}</span>
      </li>
    )
  return (
    <li className={ROW}>
      {time}
      <span className="hidden text-xs leading-5 text-muted sm:block">
        {step.sincePreviousMs === undefined ? '' : `+${formatDuration(step.sincePreviousMs)}`}
      </span>
      <div>
        <JobState state={step.state} />
      </div>
      <span className="max-sm:col-start-2">
        {step.actor}
        {step.message && (
          <span className="text-muted">
            {' '}
            · <MarkedText text={step.message} />
          </span>
        )}
      </span>
      {deliveries.length > 0 && <DeliveryCount deliveries={deliveries} />}
    </li>
  )
}

/** "2/2" */
function DeliveryCount({ deliveries }: { deliveries: Delivery[] }) {
  const succeeded = deliveries.filter(({ status }) => status === 'succeeded').length
  const hasFailed = deliveries.some(({ status }) => status === 'failed' || status === 'missed')
  return (
    <span
      className={`flex items-center gap-1 self-start text-xs leading-5 max-sm:col-start-2 ${hasFailed ? 'text-error' : 'text-muted'}`}
    >
      <Webhook size={12} aria-hidden />
      <span aria-hidden title="Webhook deliveries that succeeded">
        {succeeded}/{deliveries.length}
      </span>
      <span className="sr-only">
        {succeeded} of {deliveries.length} webhook deliveries succeeded
      </span>
    </span>
  )
}

function Deadlines({ explanation: { job, until } }: { explanation: Explanation }) {
  const now = useNow()
  const deadlines: [text: string, at: string][] = []
  if (job.state === 'queued' || job.state === 'sent')
    deadlines.push(['expires unless the agent has received it', job.expiresAt])
  if (until && until !== job.expiresAt) deadlines.push(['ends unless the cause is removed', until])
  return deadlines.map(([text, at]) => (
    <li key={text} className={`${ROW} text-muted italic`}>
      <span className="text-xs leading-5">
        <Clock time={at} />
      </span>
      <span className="sm:col-span-4">
        {text}
        {Date.parse(at) > now && `, in ${formatDuration(Date.parse(at) - now)}`}
      </span>
    </li>
  ))
}
