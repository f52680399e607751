/**
 * Invariants of batches: they are created whole, one printer takes what waits for a destination, and gets the jobs in
 * order, without other jobs between them.
 */
import { CLOCK_TOLERANCE_MS, type Facts, type JobFacts, type Problems } from './facts.ts'

export function* checkBatches(facts: Facts): Problems {
  const jobs = [...facts.jobs.values()]
  const batches = Map.groupBy(
    jobs.filter(({ row }) => row.batchId !== null),
    ({ row }) => row.batchId ?? '',
  )
  yield* requestProblems(facts)
  // The rows are in the order of acceptance.
  const positions = new Map(jobs.map(({ row }, position) => [row.id, position]))
  const byPrinter = Map.groupBy(jobs, ({ row }) => row.printerId)
  for (const [id, all] of batches) {
    const [first = 0, last = 0] = [all.at(0), all.at(-1)].map((one) => positions.get(one?.row.id ?? ''))
    if (last - first !== all.length - 1) yield [id, 'Another job was accepted between the jobs of the batch.']
    for (const [destinationId, own] of Map.groupBy(all.filter(isSent), ({ row }) => row.destinationId)) {
      const printers = new Set(own.map(({ row }) => row.printerId))
      if (destinationId !== null && printers.size > 1) yield [id, `${printers.size} printers took jobs of the batch.`]
    }
    // Jobs for a printer, and jobs of a destination that it takes, are separate.
    for (const own of Map.groupBy(all, ({ row }) => `${row.printerId} ${row.destinationId}`).values()) {
      const others = byPrinter.get(own[0]?.row.printerId ?? '') ?? []
      for (const problem of printerProblems(own, others)) yield [id, problem]
    }
  }
}

/** The jobs of a request exist together, in its order and as one batch, or none does. */
function* requestProblems({ creations, jobs }: Facts): Problems {
  const calls = [...creations.values()].flatMap((same) => same[0] ?? []).filter(({ batch }) => batch !== undefined)
  const byMarker = new Map([...jobs.values()].map(({ row }) => [row.title, row]))
  for (const [batch = '', all] of Map.groupBy(calls, (call) => call.batch)) {
    const rows = all.flatMap(({ marker = '' }) => byMarker.get(marker) ?? [])
    if (rows.length > 0 && rows.length < all.length) yield [batch, `Only ${rows.length} of ${all.length} jobs exist.`]
    if (new Set(rows.map(({ batchId }) => batchId)).size > 1) yield [batch, 'The jobs have different batches.']
    const accepted = [...byMarker.values()].filter((row) => rows.includes(row))
    if (accepted.some((row, n) => row !== rows[n])) yield [batch, 'The jobs were accepted in another order.']
  }
}

/**
 * A job that was sent again can reach the printer after others, so only when jobs were sent first counts.
 *
 * @param own the jobs of the batch at the printer, in their order.
 */
function* printerProblems(own: JobFacts[], all: JobFacts[]): Iterable<string> {
  const times = own.flatMap((job) => getFirstSent(job) ?? [])
  for (const [n, atMs] of times.entries())
    if ((times[n - 1] ?? atMs) - atMs > CLOCK_TOLERANCE_MS) yield 'The jobs were not sent in their order.'
  const [fromMs, untilMs] = [Math.min(...times), Math.max(...times)]
  for (const other of all.filter(({ row }) => row.batchId !== own[0]?.row.batchId)) {
    const atMs = getFirstSent(other) ?? 0
    if (atMs - fromMs > CLOCK_TOLERANCE_MS && untilMs - atMs > CLOCK_TOLERANCE_MS)
      yield `The job ${other.row.id} was sent to the printer between the jobs of the batch.`
  }
}

const isSent = (job: JobFacts) => getFirstSent(job) !== undefined

/** A job of a destination may have been sent to another printer before. */
function getFirstSent({ row, events }: JobFacts): number | undefined {
  const sent = ({ state }: { state: string }) => state === 'sent'
  const isMoved = row.destinationId !== null && row.batchId === null
  return (isMoved ? events.findLast(sent) : events.find(sent))?.createdAtMs
}
