/** Rules for jobs that wait for a printer of their destination. */
import type { DestinationPrinter } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { UNAVAILABLE_REASONS } from '../destination-schema.ts'
import { toWords } from '../reason-words.ts'
import type { Facts } from './facts.ts'
import { notYet, untilExpiry } from './not-yet.ts'
import type { Rule } from './rule.ts'
import { countJobs, toTime } from './texts.ts'
import { shorten, toDate } from './to-facts.ts'

/** Printers in a sentence. */
const NAMED_MAX = 2
const NAME_LENGTH_MAX = 30
const DETAIL_LENGTH_MAX = 40

const WORDS: Record<(typeof UNAVAILABLE_REASONS)[number], string> = {
  'printer-removed': 'is removed',
  'computer-paused': 'has a paused computer',
  'printer-disabled': 'is disabled',
  'computer-unauthorized': 'has a computer whose agent is refused',
  'computer-offline': 'has an offline computer',
  'printer-offline': 'is offline',
  'computer-disk-full': 'has a computer with a full disk',
  'queue-paused': 'has a paused queue',
  'printer-waits': 'needs attention',
}

/** No printer has taken the job, or it has returned. */
export const waitsForPrinter = ({ job, destination }: Facts) => destination !== undefined && job.sentAt === undefined

type Unavailable = Partial<Pick<DestinationPrinter, 'reason' | 'since'>> & Pick<DestinationPrinter, 'name' | 'detail'>

/** `Kitchen printer is out of paper since 2026-03-02 09:30 UTC`. */
export function toUnavailable({ name, reason = '', detail, since }: Unavailable): string {
  const at = toDate(since)
  const state = reason === 'printer-waits' && detail !== '' ? `: ${toShown(detail)},` : ` ${toReason(reason)}`
  return `${shorten(name || 'a printer', NAME_LENGTH_MAX)}${state}${at ? ` since ${toTime(at)}` : ''}`
}

const toReason = (reason: string) => (WORDS as Record<string, string>)[reason] ?? 'is not available'

/** A keyword, or the words of the printer. */
const toShown = (detail: string) => (/^[a-z-]+$/.test(detail) ? toWords(detail) : shorten(detail, DETAIL_LENGTH_MAX))

/** The first printers that take no job, each with the cause. */
export function listUnavailable(printers: DestinationPrinter[]): string {
  const unavailable = printers.filter(({ reason }) => reason !== undefined)
  const others = unavailable.length - NAMED_MAX
  const named = unavailable.slice(0, NAMED_MAX).map(toUnavailable)
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join('; ')
}

export const DESTINATION_RULES: readonly Rule[] = [
  {
    code: 'destination-unavailable',
    waits: true,
    applies: (facts) => waitsForPrinter(facts) && !facts.destination?.printers.some(({ hasTurn }) => hasTurn),
    explain(facts) {
      const { name = '', enabled = false, printers = [] } = facts.destination ?? {}
      const waitedFor = `a printer of destination ${shorten(name)}`
      if (!enabled)
        return notYet(facts, `Destination ${shorten(name)} is disabled or deleted.${untilExpiry(facts)}`, {
          nextSteps: ['enable_destination', 'print_elsewhere'],
          waitedFor,
        })
      const times = printers.flatMap(({ since }) => toDate(since)?.getTime() ?? [])
      const cause = `No printer of destination ${shorten(name)} may take the job: ${listUnavailable(printers)}.`
      return notYet(facts, cause, {
        since: times.length > 0 ? new Date(Math.max(...times)) : null,
        nextSteps: ['check_printer', 'change_destination', 'print_elsewhere'],
        waitedFor,
      })
    },
  },
  {
    code: 'waits-for-destination',
    applies: waitsForPrinter,
    explain(facts) {
      const { name = '', printers = [] } = facts.destination ?? {}
      const { position = 1 } = facts.queue ?? {}
      const turns = printers.filter(({ hasTurn }) => hasTurn).map((printer) => shorten(printer.name, NAME_LENGTH_MAX))
      const next = turns.slice(0, NAMED_MAX).join(' or ')
      const cause =
        position > 1
          ? `Destination ${shorten(name)} has ${countJobs(position - 1)} before this one.`
          : `${next} takes the job next, when it has finished the job before.`
      return notYet(facts, cause, { nextSteps: ['wait'], waitedFor: `a printer of destination ${shorten(name)}` })
    },
  },
]
