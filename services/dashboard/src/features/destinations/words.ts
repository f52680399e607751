import { toWords } from '@platen/resources/reason-words.ts'
import type { Destination, DestinationPrinter } from '../../api/gen/schema.ts'
import { formatSeconds } from '../../ui/time.tsx'

/** "The first available printer; the next after 30 s" */
export function describePolicy({ policy, standbyAfter, printers }: Destination): string {
  if (policy === 'any') return 'Any available printer'
  if (printers.length === 1) return 'The first available printer'
  const when = standbyAfter === 0 ? 'at once' : `after ${formatSeconds(standbyAfter)}`
  return `The first available printer; the next one ${when}`
}

/** What the printer does now: "available", "prints a job", "out of paper". */
export const describePrinter = ({ reason, detail, jobId }: DestinationPrinter): string =>
  reason === null ? (jobId === null ? 'available' : 'has a job') : detail || toWords(reason)
