/** The state of everything in words. */
import type { Overview } from '../../api/gen/schema.ts'

const MISSING: Record<Overview['missing'][number], string> = {
  jobs: 'jobs',
  devices: 'printers and computers',
  statistics: 'figures',
  events: 'the last 24 hours of printers',
  webhooks: 'webhook endpoints',
  plan: 'the plan',
  keys: 'the first steps',
}

/** "3 jobs wait or print. 12 of 12 printers and 4 of 4 computers are online." */
export function describeNow({ waiting, printers, computers }: Overview): string {
  const online =
    printers && computers
      ? `${toPart(printers)} ${toNoun(printers.total, 'printer')} and ${toPart(computers)} ${toNoun(computers.total, 'computer')} are online.`
      : ''
  return [waiting ? describeWaiting(waiting) : '', online].filter(Boolean).join(' ')
}

/** Empty if everything could be read. */
export const describeMissing = ({ missing }: Overview): string =>
  missing.length === 0
    ? ''
    : `Not shown, because a service does not answer: ${missing.map((source) => MISSING[source]).join(', ')}. The page tries again.`

function describeWaiting({ jobs, isMinimum }: NonNullable<Overview['waiting']>): string {
  if (jobs === 0) return 'No job waits.'
  return `${jobs.toLocaleString()}${isMinimum ? ' or more' : ''} ${toNoun(jobs, 'job')} ${jobs === 1 ? 'waits or prints' : 'wait or print'}.`
}

const toPart = ({ online, total }: { online: number; total: number }) =>
  `${online.toLocaleString()} of ${total.toLocaleString()}`

const toNoun = (count: number, noun: string) => (count === 1 ? noun : `${noun}s`)
