/** Why a printer or a job does not go on, in words. */
import { toWords } from '@platen/resources/reason-words.ts'
import { isFinal, type Job, type Printer } from '../../api/resources.ts'

/** What a list of jobs shows of a printer. */
export type KnownPrinter = Pick<Printer, 'id' | 'displayName' | 'enabled' | 'state' | 'stateDetail' | 'stateReasons'>

/** Empty if the printer reports nothing. */
export const describeReasons = ({ stateDetail, stateReasons }: Pick<Printer, 'stateDetail' | 'stateReasons'>): string =>
  stateDetail || stateReasons.map(toWords).join(', ')

/**
 * The message of the job, or what holds it up at its printer. For one line of plain text, so without the marks of
 * commands and values.
 *
 * @param printer undefined if it is not known.
 */
export function describeJobReason(
  { stateMessage, stateReasons, ...job }: Job,
  printer: KnownPrinter | undefined,
): string {
  if (stateMessage) return stateMessage.replaceAll('`', '')
  if (stateReasons.length > 0) return stateReasons.map(toWords).join(', ')
  if (isFinal(job as Job) || !printer) return ''
  if (!printer.enabled) return 'printer disabled'
  // The state follows that of the computer.
  if (printer.state === 'unknown') return 'computer offline'
  return describeReasons(printer) || (printer.state === 'offline' ? 'printer offline' : '')
}
