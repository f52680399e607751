import { toUnavailable, waitsForPrinter } from './destination-rules.ts'
import type { DestinationFacts, Facts } from './facts.ts'
import { toTime } from './texts.ts'
import { shorten } from './to-facts.ts'

/** What the explanation is based on. */
export interface ShownFact {
  name: string
  value: string
  /** Path of the resource. */
  ref: string | null
}

/** Besides `/v1`. */
const INTERFACES: Record<string, string> = { printnode: 'PrintNode' }

/** Texts by the number of attempts. */
const SENT = ['not yet', 'once']

export function listFacts(facts: Facts): ShownFact[] {
  const { job, names, printer, computer, destination, queue, attempt } = facts
  const fact = (name: string, value: string, ref: string | null = null): ShownFact => ({ name, value, ref })
  return [
    fact('state', [job.state, ...job.stateReasons].join(', ')),
    ...(job.stateMessage ? [fact('message', job.stateMessage)] : []),
    fact(
      'printer',
      `${names.printer}: ${printer ? [printer.enabled ? 'enabled' : 'disabled', printer.state, ...printer.stateReasons].join(', ') : 'removed'}`,
      printer ? `/v1/printers/${job.printerId}` : null,
    ),
    fact(
      'computer',
      `${names.computer}: ${[computer?.state ?? 'deleted', ...(computer?.unauthorizedAt ? ['unauthorized'] : []), ...(computer?.pausedAt ? ['paused'] : [])].join(', ')}`,
      computer ? `/v1/computers/${job.computerId}` : null,
    ),
    ...(destination
      ? [fact('destination', describeDestination(facts, destination), `/v1/destinations/${job.destinationId}`)]
      : []),
    ...(queue && queue.position > 0
      ? [fact('queue', `${queue.position} of ${queue.length}`, `/v1/printjobs/${queue.headJobId}`)]
      : []),
    fact('sent', SENT[attempt] ?? `${attempt} times`),
    fact('document', describeDocument(facts)),
    ...(job.interface ? [fact('interface', INTERFACES[job.interface] ?? job.interface)] : []),
    ...(job.reprintOf ? [fact('reprint of', job.reprintOf, `/v1/printjobs/${job.reprintOf}`)] : []),
  ]
}

/** The printer that took the job, and why no earlier one did. */
function describeDestination(facts: Facts, { name }: DestinationFacts): string {
  if (waitsForPrinter(facts)) return `${shorten(name)}: no printer has taken the job`
  const because = facts.passedPrinters.map(toUnavailable).join('; ')
  return `${shorten(name)} → ${facts.names.printer}${because && `, because ${because}`}`
}

function describeDocument({ job, documentKeptUntil: keptUntil, isFetching, now }: Facts): string {
  if (isFetching) return 'being fetched or converted'
  if (job.discardsDocument) return job.finishedAt ? 'deleted when the job ended' : 'stored until the job ends'
  if (!keptUntil) return 'not stored'
  return keptUntil > now ? `stored until ${toTime(keptUntil)}` : `deleted after ${toTime(keptUntil)}`
}
