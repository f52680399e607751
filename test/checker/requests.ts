/** Invariants of requests and responses. */
import { type Facts, isUndecided, type JobFacts, type Problems } from './facts.ts'
import type { ClientCall, JobEventRow } from './history.ts'

const isAccepted = ({ status }: ClientCall) => status === 201

export function* checkAcceptance({ creations, jobs }: Facts): Problems {
  for (const call of [...creations.values()].flat()) {
    if (isAccepted(call) && !jobs.has(call.jobId ?? ''))
      yield [call.jobId ?? '', `The creation "${call.marker}" was answered 201, but its job does not exist.`]
    const original = jobs.get(call.reprintOf ?? '')
    const isRefused = call.status === 404 || call.status === 410
    const hasDocument = original?.row.storageKey != null || original?.row.hasInlineDocument
    if (isRefused && hasDocument && original?.row.organizationId === call.organizationId)
      yield [call.reprintOf ?? '', `A reprint was answered ${call.status}, but the job still has its document.`]
  }
  const explained = new Map<ClientCall[], string>()
  for (const { row, creations: calls } of jobs.values()) {
    const [call] = calls
    const other = explained.get(calls)
    explained.set(calls, row.id)
    if (!call) yield [row.id, `No request created the job "${row.title}".`]
    else if (other) yield [row.id, `The request of this job created the job ${other} as well.`]
    else if (!calls.some((one) => isAccepted(one) || isUndecided(one)))
      yield [row.id, `The creation was answered ${call.status}, but its job exists.`]
    else for (const difference of differences(jobs, { row, calls, call })) yield [row.id, `The job ${difference}.`]
  }
}

function* differences(
  jobs: Facts['jobs'],
  { row, calls, call }: { row: JobFacts['row']; calls: ClientCall[]; call: ClientCall },
): Iterable<string> {
  const { qty = row.qty, contentSha256 = row.fileSha256, reprintOf = null, organizationId } = call
  for (const { jobId, isReplay } of calls)
    if (jobId !== undefined && jobId !== row.id && !isReplay) yield `was answered with the id ${jobId}`
  if (organizationId !== row.organizationId) yield `belongs to the organization ${row.organizationId}`
  if (qty !== row.qty) yield `has the quantity ${row.qty} instead of ${qty}`
  if (contentSha256 !== row.fileSha256) yield 'has another document than the request'
  if (reprintOf !== row.reprintOf) yield `is a reprint of ${row.reprintOf ?? 'nothing'}`
  if (row.reprintOf && jobs.get(row.reprintOf)?.row.fileSha256 !== row.fileSha256)
    yield 'has another document than its original'
}

/** All 201 responses have the same job, and all except one are marked as replays. The unmarked response may be lost. */
export function* checkIdempotency({ history, jobs }: Facts): Problems {
  const getName = (call: ClientCall | undefined) => `${call?.key} of ${call?.organizationId}`
  const keyed = history.calls.filter(({ key }) => key !== undefined)
  const made = Map.groupBy(jobs.values(), ({ creations: [call] }) => getName(call))
  for (const [name, calls] of Map.groupBy(keyed, getName)) {
    const accepted = calls.filter(isAccepted)
    const jobIds = new Set([...accepted.map(({ jobId }) => jobId), ...(made.get(name) ?? []).map(({ row }) => row.id)])
    if (jobIds.size > 1) yield [name, `${jobIds.size} jobs were created or named with this key.`]
    const firsts = accepted.filter(({ isReplay }) => !isReplay).length
    if (firsts > 1) yield [name, `${firsts} answers do not say that they are replays.`]
  }
}

/**
 * A small document is stored in the database with its job, a larger one in the file store.
 *
 * A creation without an answer may leave a document without a job, because the gateway that stored it died; a creation
 * that failed may lose the document of its job, because the gateway withdrew it.
 */
export function* checkDocuments({ jobs, history, creations }: Facts): Problems {
  const stored = new Set(history.storedDocuments)
  const owned = new Set(history.database.jobs.map(({ storageKey }) => storageKey))
  for (const { row, creations: calls } of jobs.values())
    if (row.storageKey && calls.some(isAccepted) && !stored.has(row.storageKey))
      yield [row.id, 'The document of the job is not in the file store.']
  const inline = new Map(history.database.documents.map(({ jobId, sha256 }) => [jobId, sha256]))
  for (const { row } of jobs.values())
    if (row.hasInlineDocument && inline.get(row.id) !== row.fileSha256)
      yield [row.id, 'The document beside the job is missing or another one.']
  for (const jobId of inline.keys())
    if (!jobs.get(jobId)?.row.hasInlineDocument) yield [jobId, 'A document lies beside no job.']
  let allowedOrphans = 0
  for (const calls of creations.values()) {
    if (calls.some(({ reprintOf }) => reprintOf)) continue
    // One of the undecided calls created the job and owns its document.
    const ownsOne = [...jobs.values()].some((job) => job.creations === calls) && !calls.some(isAccepted)
    allowedOrphans += Math.max(0, calls.filter(isUndecided).length - (ownsOne ? 1 : 0))
  }
  const orphans = history.storedDocuments.filter((key) => !owned.has(key))
  for (const key of orphans.slice(allowedOrphans))
    yield [key, 'No job and no unanswered creation explains this document.']
}

/**
 * A state in an answer was entered before the answer, and the job had not left it when the question was asked. The
 * checker knows that the job left it from earlier answers, webhooks and calls of the spooler.
 */
export function* checkReads({ jobs, history }: Facts): Problems {
  const reads = history.calls.filter(({ kind, endedAtMs }) => kind !== 'create' && endedAtMs !== undefined)
  for (const [jobId, all] of Map.groupBy(reads, (call) => call.jobId ?? '')) {
    const job = jobs.get(jobId)
    if (!job) continue
    const own = all.filter(({ organizationId }) => organizationId === job.row.organizationId)
    const known = knownSequences(job, own)
    for (const call of own) {
      const before = known.filter(({ atMs }) => atMs < call.startedAtMs).map(({ sequence }) => sequence)
      const problem = checkRead(job.events, call, Math.max(0, ...before))
      if (problem) yield [jobId, problem]
    }
  }
}

/** @param known the sequence that the job had at least when the client asked. */
function checkRead(events: JobEventRow[], call: ClientCall, known: number): string | undefined {
  const { kind, status, state, endedAtMs = 0 } = call
  if (status === 404 && kind !== 'list' && known > 0) return 'A request for the job, which existed, was answered 404.'
  if (status !== 200 || state === undefined) return undefined
  const entered = events.findLast((event) => event.state === state && event.createdAtMs <= endedAtMs)
  if (!entered) return `An answer said "${state}" before the job entered it.`
  // A resend does not change the state, so the answer may be as late as the next other state.
  const left = events.find((event) => event.sequence > entered.sequence && event.state !== state)
  return left && left.sequence <= known ? `An answer said "${state}" after event ${known} was known.` : undefined
}

/** Times from which the job has at least the given number of events. */
function knownSequences({ events, heard, spoolerCalls, creations }: JobFacts, reads: ClientCall[]) {
  const known = [...heard]
  for (const { status, endedAtMs } of creations)
    if (status === 201 && endedAtMs) known.push({ atMs: endedAtMs, sequence: 1 })
  for (const { status, state, endedAtMs = 0 } of reads) {
    const first = status === 200 && events.find((event) => event.state === state)
    if (first) known.push({ atMs: endedAtMs, sequence: first.sequence })
  }
  const received = events.find(({ state }) => state === 'received')
  if (received && spoolerCalls[0]) known.push({ atMs: spoolerCalls[0].atMs, sequence: received.sequence })
  return known
}
