import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import type { Computer, Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { ComputerFacts, DeviceEvent, Facts, Found, PrinterFacts } from './facts.ts'

/** The length of a name in a text, in UTF-16 units, so that the text has at most two lines. */
const NAME_LENGTH_MAX = 40

export const toDate = (time: Timestamp | undefined): Date | undefined => time && timestampDate(time)

/**
 * @param found the printer and the computer as they are now. Of a job that has ended, their last events before its end
 *   replace their state, so that the explanation of an expired job says what it waited for.
 */
export function toFacts({ details, printer, computer, destination, deviceEvents }: Found, now: Date): Facts {
  const { job, events, attempt, isFetching, documentKeptUntil, printingUntil, queue, passedPrinters } = details
  if (!job) throw new Error('the response of a service has no job')
  const ofPrinter = deviceEvents.filter(({ data }) => data.id === job.printerId)
  const ofComputer = deviceEvents.filter(({ data }) => data.id === job.computerId)
  const hasEnded = job.finishedAt !== undefined
  const computerFacts = toComputerFacts(computer, ofComputer, hasEnded)
  return {
    now,
    job,
    events,
    attempt,
    isFetching,
    documentKeptUntil: toDate(documentKeptUntil),
    printingUntil: toDate(printingUntil),
    queue,
    names: {
      printer: shorten(
        printer?.displayName || toText(ofPrinter.at(-1)?.data.displayName) || `…${job.printerId.slice(-6)}`,
      ),
      computer: shorten(computer?.name || toText(ofComputer.at(-1)?.data.name) || `…${job.computerId.slice(-6)}`),
      ...(printer?.osName && { queue: shorten(printer.osName) }),
    },
    printer: hasEnded ? toPastPrinter(printer, ofPrinter, computerFacts) : toPresentPrinter(printer, ofPrinter),
    computer: computerFacts,
    destination: job.destinationId === undefined ? undefined : (destination ?? toDeleted(job.destinationId)),
    passedPrinters,
  }
}

const toDeleted = (id: string) => ({ name: `…${id.slice(-6)}`, enabled: false, printers: [] })

const toText = (value: unknown) => (typeof value === 'string' ? value : '')

export function shorten(text: string, max = NAME_LENGTH_MAX): string {
  return text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
}

function toPresentPrinter(printer: Printer | undefined, events: DeviceEvent[]): PrinterFacts | undefined {
  if (!printer) return undefined
  const { enabled, state, stateReasons, stateDetail, updatedAt } = printer
  return { enabled, state, stateReasons, stateDetail, since: findSince(events, state, updatedAt) }
}

/**
 * The printer as `GET` showed it when the job ended. Its state is `unknown` while its computer is offline, which emits
 * no event of the printer.
 */
function toPastPrinter(
  printer: Printer | undefined,
  events: DeviceEvent[],
  computer: ComputerFacts | undefined,
): PrinterFacts | undefined {
  const last = events.at(-1)
  if (last ? last.type === 'printer.removed' : !printer) return undefined
  const { enabled = true, stateReasons = [], stateDetail = '' } = { ...printer, ...(last?.data as Partial<Printer>) }
  const reported = events.filter(({ data }) => data.state !== 'unknown')
  const state = toText(reported.at(-1)?.data.state) || printer?.state || 'unknown'
  const shown =
    computer?.state === 'offline'
      ? { state: 'unknown', since: computer.since }
      : { state, since: findSince(reported, state, printer?.updatedAt) }
  return { enabled, stateReasons, stateDetail, ...shown }
}

function toComputerFacts(
  computer: Computer | undefined,
  events: DeviceEvent[],
  hasEnded: boolean,
): ComputerFacts | undefined {
  const last = hasEnded ? events.at(-1) : undefined
  const state = last ? toText(last.data.state) : computer?.state
  const pausedAt = toDate(computer?.pausedAt)
  const unauthorizedAt = toDate(computer?.unauthorizedAt)
  return state ? { state, pausedAt, unauthorizedAt, since: findSince(events, state, computer?.lastSeenAt) } : undefined
}

/** @returns the time of the first of the last events with this state; without one, the fallback. */
function findSince(events: DeviceEvent[], state: string, fallback: Timestamp | undefined): Date | null {
  const before = events.findLastIndex(({ data }) => data.state !== state)
  const first = events[before + 1]
  return first ? new Date(first.timestamp) : (toDate(fallback) ?? null)
}
