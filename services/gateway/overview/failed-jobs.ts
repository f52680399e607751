import type { FailureCount } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { fillIn, withoutMessage } from '@platen/resources/explain/texts.ts'
import { toWords } from '@platen/resources/reason-words.ts'
import { findStateReason } from '@platen/resources/state-reasons.ts'
import { countJobs, type Devices, type Entry, getNames, toEntry } from './entry.ts'

/** One entry for each reason. */
export const describeFailedJobs = (failures: FailureCount[], devices: Devices): Entry[] =>
  failures.map(({ state, reason, jobs, printers, printerId }) =>
    toEntry({
      kind: 'failed-jobs',
      code: reason || state,
      text: `${describeCount(state, Number(jobs), printers)} ${describeCause(reason, printers, printerId, devices)}`.trim(),
      jobs: Number(jobs),
      state: state === 'expired' ? 'expired' : 'error',
      printerId: printers === 1 ? printerId : null,
    }),
  )

const describeCount = (state: string, jobs: number, printers: number) =>
  `${countJobs(jobs)}${printers > 1 ? ` of ${printers} printers` : ''} ${state === 'expired' ? 'expired before printing' : 'failed'} in the last 24 hours.`

/** The causes of several printers have no names. */
function describeCause(reason: string, printers: number, printerId: string, devices: Devices): string {
  const found = findStateReason(reason, 'error')
  if (printers === 1 && found) return fillIn(withoutMessage(found.cause), getNames(devices, printerId))
  const printer = printers === 1 ? `printer ${getNames(devices, printerId).printer}` : ''
  const words = reason === 'other' ? '' : toWords(reason)
  const text = [printer, words].filter(Boolean).join(': ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
