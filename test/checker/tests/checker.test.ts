import { expect, test } from 'vitest'
import { checkHistory, type Group } from '../check-history.ts'
import { isResend } from '../facts.ts'
import { type ClientCall, type EventRow, type History, type JobEventRow, type JobRow, STALL } from '../history.ts'

interface Story {
  id: string
  owner?: 'A' | 'B'
  /** States and seconds. */
  walk: [state: string, seconds: number][]
  reprintOf?: string
  reasons?: string[]
  batch?: string
  destinationId?: string
}

const kitchen = { destinationId: 'kitchen', policy: 'first' as const }
const at = (seconds: number) => 1_800_000_000_000 + seconds * 1000
const steps = Object.entries({ queued: 0, sent: 0.1, received: 0.3, printing: 1, done: 2 })
const printed = (from: number) => steps.map(([state, after]): [string, number] => [state, from + after])
const sends = [12.1, 14.2, 16.3, 18.4].map((seconds): [string, number] => ['sent', seconds])
const STORIES: Story[] = [
  { id: 'first', walk: printed(1) },
  { id: 'reprint', walk: printed(5), reprintOf: 'first' },
  { id: 'expired', walk: [...printed(10).slice(0, 2), ['expired', 11.5]] },
  { id: 'requeued', walk: [['queued', 12], ...sends, ...printed(20.5)] },
  { id: 'hello', walk: [...printed(30).slice(0, 2), ['sent', 30.5], ...printed(30.4).slice(2)] },
  { id: 'batch 1', walk: printed(35), batch: 'a batch' },
  { id: 'batch 2', walk: printed(35.05), batch: 'a batch' },
  { id: 'after', walk: printed(36) },
  { id: 'timed out', walk: [...printed(40).slice(0, 4), ['error', 51.1]], reasons: ['spooler-timeout'] },
  { id: 'at destination', destinationId: 'kitchen', walk: printed(70) },
  { id: 'behind it', destinationId: 'kitchen', walk: [['queued', 70.05], ...printed(72).slice(1)] },
  { id: 'live', owner: 'B', walk: printed(60) },
]

/** Jobs that are printed, expired, resent, requeued and timed out, while an agent is killed. */
function cleanHistory() {
  const jobs = STORIES.map(toRow)
  const changes = STORIES.flatMap((story) => toEvents(story).filter((_, n, all) => !isResend(all, n)))
  const feed = changes.map(toEventRow)
  const ofA = feed.filter(({ organizationId }) => organizationId === 'A')
  const settings = { resendAfterMs: 2000, resendsMax: 3, printingTimeoutMs: 10_000, agentLostMs: 60_000 }
  const agent = { unsettledJobIds: [], welcomedAtMs: [at(0), at(30.51)] }
  return {
    settings: { ...settings, webhookGapsMs: [1000] },
    calls: [...STORIES.flatMap(toCalls), replay(), unanswered()],
    spoolerCalls: STORIES.flatMap(toSpoolerCalls),
    faults: [{ kind: 'kill -9', target: 'agent', startedAtMs: at(30.2), endedAtMs: at(30.5) }],
    agents: [
      { ...structuredClone(agent), name: 'agent', organizationId: 'A', computerId: 'computer A' },
      { ...structuredClone(agent), name: 'test-computers', organizationId: 'B', computerId: 'computer B' },
    ],
    endpoints: [{ id: 'hook', organizationId: 'A', mode: 'test', events: ofA.map(({ type }) => type) }],
    receivedWebhooks: ofA.map(({ id, bodySha256, occurredAtMs }) => {
      const facts = { webhookId: id, eventId: id, isSigned: true, bodySha256, atMs: occurredAtMs + 60 }
      return { ...facts, endpoint: 'hook', status: 204 }
    }),
    database: {
      jobs,
      printers: [
        { id: 'printer A', organizationId: 'A', mode: 'test', computerId: 'computer A' },
        { id: 'printer B', organizationId: 'B', mode: 'live', computerId: 'computer B' },
      ],
      documents: [{ jobId: 'live', sha256: 'sha live' }],
      events: STORIES.flatMap(toEvents),
      log: changes.map((change) => ({ ...toEventRow(change), log: 'jobs' })),
      unread: [] as History['database']['unread'],
      ledger: [{ eventId: 'live/1', jobId: 'live', organizationId: 'B', jobCreatedAtMs: at(60) }],
      counts: [{ organizationId: 'B', periodStartMs: Date.UTC(2027, 0), prints: 1 }],
      feed,
      deliveries: ofA.map(({ id, occurredAtMs }) => {
        const times = { nextAttemptAtMs: null as number | null, deliveredAtMs: occurredAtMs + 65 }
        return { ...times, id: `to ${id}`, endpointId: 'hook', eventId: id, status: 'succeeded' }
      }),
      attempts: ofA.map(({ id, occurredAtMs }) => {
        return { deliveryId: `to ${id}`, number: 1, atMs: occurredAtMs + 55, durationMs: 10, statusCode: 204 }
      }),
    },
    storedDocuments: [...new Set(jobs.flatMap(({ storageKey }) => storageKey ?? [])), 'of the unanswered creation'],
    unexpectedEnds: [] as string[],
    collectedAtMs: at(100),
    leaks: [] as string[],
    destinationChanges: [{ ...kitchen, printerIds: ['printer A'], startedAtMs: at(69), answeredAtMs: at(69.1) }],
  } satisfies History
}

const getOwner = (jobId: string) => (jobId === 'live' ? 'B' : 'A')
const getMode = (jobId: string) => (jobId === 'live' ? 'live' : 'test')

function toEvents({ id, walk }: Story): JobEventRow[] {
  return walk.map(([state, seconds], n) => {
    const actor = ['received', 'printing', 'done'].includes(state) ? 'agent' : 'system'
    return { id: `${id}/${n + 1}`, jobId: id, sequence: n + 1, state, actor, createdAtMs: at(seconds) }
  })
}

function toRow({ id, walk, reprintOf, batch, reasons = [], destinationId }: Story): JobRow {
  const round = walk.slice(walk.findLastIndex(([state]) => state === 'queued'))
  const getTime = (state: string) => round.filter(([entered]) => entered === state).map(([, s]) => at(s))[0] ?? null
  const [state = '', endedAt = 0] = walk.at(-1) ?? []
  const owner = getOwner(id)
  return {
    ...{ id, organizationId: owner, mode: getMode(id), title: `title of ${id}`, qty: 2, reprintOf: reprintOf ?? null },
    batchId: batch ?? null,
    ...{ printerId: `printer ${owner}`, computerId: `computer ${owner}`, state, stateReasons: reasons },
    destinationId: destinationId ?? null,
    ...{
      storageKey: id === 'live' ? null : `document ${reprintOf ?? id}`,
      hasInlineDocument: id === 'live',
      fileSha256: `sha ${reprintOf ?? id}`,
    },
    ...{ version: walk.length, attempt: walk.filter(([entered]) => entered === 'sent').length },
    notBeforeMs: null,
    ...{ createdAtMs: at(walk[0]?.[1] ?? 0), expiresAtMs: at(id === 'expired' ? 11.4 : 3600) },
    ...{ sentAtMs: getTime('sent'), receivedAtMs: getTime('received'), printingAtMs: getTime('printing') },
    finishedAtMs: at(endedAt),
  }
}

function toEventRow({ id, jobId, state, sequence, createdAtMs }: JobEventRow): EventRow {
  const facts = { type: `printjob.${state}`, resourceId: jobId, sequence, occurredAtMs: createdAtMs }
  return { ...facts, id, organizationId: getOwner(jobId), mode: getMode(jobId), bodySha256: `sha of ${id}` }
}

/** The creation, and a request for the job after its end. */
function toCalls({ id, walk, reprintOf, batch }: Story): ClientCall[] {
  const [from, [state, end] = ['', 0]] = [walk[0]?.[1] ?? 0, walk.at(-1)]
  const call = { organizationId: getOwner(id), jobId: id, namedIds: [id, `printer ${getOwner(id)}`] }
  const body = { marker: `title of ${id}`, contentSha256: `sha ${reprintOf ?? id}`, qty: 2, reprintOf, batch }
  const times = { startedAtMs: at(from - 0.1), endedAtMs: at(from + 0.05) }
  return [
    { ...call, ...body, ...times, kind: 'create', status: 201, ...(id === 'first' ? { key: 'a key' } : {}) },
    { ...call, kind: 'get', status: 200, state, startedAtMs: at(end + 1), endedAtMs: at(end + 2) },
  ]
}

function toSpoolerCalls({ id, walk, reprintOf }: Story) {
  const received = walk.findLast(([state]) => state === 'received')
  if (!received) return []
  const job = { computerId: `computer ${getOwner(id)}`, token: id, spoolerJobId: id, sha256: `sha ${reprintOf ?? id}` }
  return (['submit', 'release'] as const).map((call, n) => ({ ...job, call, qty: 2, atMs: at(received[1]) + n * 50 }))
}

function replay(): ClientCall {
  const first = { organizationId: 'A', marker: 'title of first', key: 'a key', jobId: 'first', namedIds: ['first'] }
  return { ...first, kind: 'create', status: 201, isReplay: true, startedAtMs: at(2), endedAtMs: at(3) }
}

function unanswered(): ClientCall {
  return { kind: 'create', organizationId: 'A', marker: 'x', startedAtMs: at(5), namedIds: [] }
}

type Clean = ReturnType<typeof cleanHistory>
const set = <T extends object>(what: T | undefined, facts: Partial<T>) => Object.assign(what as T, facts)
const drop = <T>(all: T[], is: (one: T) => boolean) => void all.splice(0, all.length, ...all.filter((one) => !is(one)))
const job = ({ database }: Clean, id: string) => database.jobs.find((one) => one.id === id) as JobRow
const get = ({ calls }: Clean, id: string) => calls.find((one) => one.kind === 'get' && one.jobId === id) as ClientCall
const spooled = ({ spoolerCalls }: Clean, call: string, id = 'first') =>
  spoolerCalls.find((one) => one.token === id && one.call === call) as Clean['spoolerCalls'][number]

const setSent = ({ database }: Clean, id: string, seconds: number) =>
  set(
    database.events.find(({ jobId, state }) => jobId === id && state === 'sent'),
    { createdAtMs: at(seconds) },
  )

/** In the order of acceptance. */
function exchange({ database: { jobs } }: Clean, one: string, other: string) {
  const [a, b] = [one, other].map((name) => jobs.findIndex(({ id }) => id === name)) as [number, number]
  const [first, second] = [jobs[a], jobs[b]] as [JobRow, JobRow]
  jobs.splice(a, 1, second)
  jobs.splice(b, 1, first)
}

/** Changes by group and rule. */
const BROKEN: Record<string, (h: Clean) => unknown> = {
  'acceptance: a job that was answered 201 exists': (h) => drop(h.database.jobs, ({ id }) => id === 'live'),
  'acceptance: a job has a request': (h) => drop(h.calls, ({ jobId }) => jobId === 'live'),
  'acceptance: a job has the requested document': (h) => set(h.calls[0], { contentSha256: 'other' }),
  'acceptance: a reprint is accepted': (h) => h.calls.push({ ...unanswered(), reprintOf: 'first', status: 410 }),
  'idempotency: the answers of a key name one job': (h) => set(h.calls.at(-2), { jobId: 'reprint' }),
  'idempotency: a later answer of a key is a replay': (h) => set(h.calls.at(-2), { isReplay: false }),
  'batches: a batch is created whole': (h) => drop(h.database.jobs, ({ id }) => id === 'batch 2'),
  'batches: the jobs of a request are one batch': (h) => set(job(h, 'batch 2'), { batchId: 'other' }),
  'batches: the jobs are in the order of the request': (h) => exchange(h, 'batch 1', 'batch 2'),
  'batches: no job is accepted between them': (h) => exchange(h, 'batch 2', 'after'),
  'batches: the jobs are sent in their order': (h) => setSent(h, 'batch 1', 35.5),
  'batches: no job is sent between them': (h) => setSent(h, 'batch 2', 37),
  'documents: the document of a job is stored': (h) => h.storedDocuments.shift(),
  'documents: the document beside a job is its own': (h) => set(h.database.documents[0], { sha256: 'other' }),
  'documents: a document beside a job belongs to it': (h) => set(job(h, 'live'), { hasInlineDocument: false }),
  'documents: a document belongs to a job': (h) => h.storedDocuments.push('orphan'),
  'reads: a state is not read before it is entered': (h) => set(get(h, 'live'), { endedAtMs: at(61) }),
  'reads: a state is not read after it was left': (h) => set(get(h, 'first'), { state: 'printing' }),
  'reads: an accepted job is found': (h) => set(get(h, 'live'), { status: 404 }),
  'transitions: the events have no gap': (h) => drop(h.database.events, ({ id }) => id === 'live/3'),
  'transitions: a final state is not left': (h) => set(h.database.events[2], { state: 'done' }),
  'transitions: a job is in the state of its last event': (h) => set(job(h, 'live'), { state: 'error' }),
  'transitions: a time stamp is that of its event': (h) => set(job(h, 'live'), { printingAtMs: at(1) }),
  'resends: a resend is not early': (h) => h.agents[0]?.welcomedAtMs.pop(),
  'resends: a job is requeued after three resends': (h) => set(h.settings, { resendsMax: 4 }),
  'resends: a job does not expire early': (h) => set(job(h, 'expired'), { expiresAtMs: at(12) }),
  'timeouts: the spooler does not time out early': (h) => set(h.settings, { printingTimeoutMs: 20_000 }),
  'timeouts: a job that was ended by a timeout is not released later': (h) => {
    h.agents[0]?.welcomedAtMs.push(at(52))
    set(spooled(h, 'release', 'timed out'), { atMs: at(90) })
  },
  'spooler: a job is released once': (h) => h.spoolerCalls.push(spooled(h, 'release')),
  'spooler: a job that is done was released': (h) => h.spoolerCalls.pop(),
  'spooler: the spooler gets the accepted document': (h) => set(spooled(h, 'submit'), { sha256: 'cut off' }),
  'spooler: the spooler gets nothing before received': (h) => set(spooled(h, 'submit'), { atMs: at(1.2) }),
  'spooler: an expired job does not reach the spooler': (h) => set(spooled(h, 'submit'), { token: 'expired' }),
  'spooler: a job does not fail without a reason': (h) => set(job(h, 'timed out'), { stateReasons: [] }),
  'batches: one printer takes the jobs that wait for a destination': (h) => {
    for (const id of ['at destination', 'behind it']) set(job(h, id), { batchId: 'of destination' })
    set(job(h, 'behind it'), { printerId: 'other' })
  },
  'destinations: a job is at a printer of its organization': (h) =>
    set(h.database.printers[0], { organizationId: 'B' }),
  'destinations: a job is at a printer of its mode': (h) => set(h.database.printers[0], { mode: 'live' }),
  'destinations: a job is at the computer of its printer': (h) => set(h.database.printers[0], { computerId: 'other' }),
  'destinations: a printer that the destination has lost takes no job': (h) =>
    set(h.destinationChanges[0], { printerIds: ['other'] }),
  'destinations: a printer has one job at a time': (h) => set(job(h, 'at destination'), { finishedAtMs: at(73) }),
  'destinations: a printer takes jobs in the order of acceptance': (h) => h.database.jobs.reverse(),
  'waits: a free printer takes the job within 3 s': (h) => setSent(h, 'behind it', 91),
  'publication: the log has each event': (h) => h.database.log.pop(),
  'publication: the log has only events of jobs': (h) => set(h.database.log.at(-1), { id: 'rolled back' }),
  'publication: the log has the events of a job in order': (h) => h.database.log.reverse(),
  'feed: the feed has each event of the log': (h) => h.database.feed.pop(),
  'feed: the feed has each event once': (h) => h.database.feed.push(h.database.feed[0] as EventRow),
  'feed: the feed has the bytes of the log': (h) => set(h.database.log[0], { bodySha256: 'other' }),
  'webhooks: a webhook is signed': (h) => set(h.receivedWebhooks[0], { isSigned: false }),
  'webhooks: a webhook is byte for byte an event': (h) => set(h.receivedWebhooks[0], { bodySha256: 'other' }),
  'webhooks: a webhook stays in its organization': (h) => set(h.endpoints[0], { organizationId: 'B' }),
  'deliveries: each event arrives': (h) => h.receivedWebhooks.pop(),
  'deliveries: each event has one delivery': (h) => h.database.deliveries.pop(),
  'deliveries: an attempt waits for its gap': (h) => {
    const last = set(h.database.attempts.at(-1), { statusCode: 500 })
    h.database.attempts.push({ ...last, number: 2, atMs: last.atMs + 500, statusCode: 204 })
  },
  'deliveries: no attempt follows a success': repeatSuccess,
  'deliveries: no delivery is overdue': (h) =>
    set(h.database.deliveries[0], { status: 'pending', nextAttemptAtMs: at(99) }),
  'usage: a live job is one print': (h) => h.database.ledger.pop(),
  'usage: the count is that of the jobs': (h) => set(h.database.counts[0], { prints: 2 }),
  'isolation: no answer names a foreign id': (h) => get(h, 'first').namedIds.push('live'),
  'isolation: no computer prints a foreign job': (h) => set(spooled(h, 'submit'), { computerId: 'computer B' }),
  'isolation: no secret leaks': (h) => h.leaks.push('jobs.log: key of A'),
  'liveness: all jobs end': (h) => set(job(h, 'live'), { state: 'printing' }),
  'liveness: consumers read the logs': (h) => h.database.unread.push({ consumer: 'usage', log: 'jobs', events: 1 }),
  'liveness: an agent that was killed comes back': (h) => set(h.faults[0], { startedAtMs: at(31) }),
  'liveness: no process ends by itself': (h) => h.unexpectedEnds.push('jobs-0: exit code 1'),
}

/** A second worker takes the message while the first one does not run. */
function repeatSuccess({ database }: ReturnType<typeof cleanHistory>) {
  const last = database.attempts.at(-1)
  if (last) database.attempts.push({ ...last, number: 2, atMs: last.atMs + 1_500 })
}

test('an attempt may follow a success if a process stalled', () => {
  const history = cleanHistory()
  repeatSuccess(history)
  const [startedAtMs, endedAtMs] = [at(74), at(76)]
  history.faults.push({ kind: STALL, target: 'main.ts webhooks', startedAtMs, endedAtMs })
  expect(checkHistory(history)).toEqual([])
})

test('a job may wait while the printers whose turn it is are switched off', () => {
  const wait = (policy: 'first' | 'any', off: string) => {
    const history = cleanHistory()
    setSent(history, 'behind it', 95)
    const times = { startedAtMs: at(69), answeredAtMs: at(69.1) }
    const destinationChanges = [{ ...kitchen, policy, printerIds: ['other', 'printer A'], ...times }]
    const printerSwitches = [{ printerId: off, enabled: false, ...times }]
    return checkHistory({ ...history, destinationChanges, printerSwitches }, ['waits']).length
  }
  expect([wait('first', 'other'), wait('any', 'other')]).toEqual([0, 1])
  expect([wait('first', 'printer A'), wait('any', 'printer A')]).toEqual([1, 1])
})

test('a later printer takes the job once each earlier one has been off for the time', () => {
  const wait = (standbyAfterMs: number, offForMs: number) => {
    const history = cleanHistory()
    setSent(history, 'behind it', 95)
    const times = { startedAtMs: at(69), answeredAtMs: at(69.1) }
    const destinationChanges = [{ ...kitchen, standbyAfterMs, printerIds: ['other', 'printer A'], ...times }]
    const printerSwitches = [
      { printerId: 'other', enabled: false, ...times },
      { printerId: 'other', enabled: true, startedAtMs: at(69) + offForMs, answeredAtMs: at(69) + offForMs },
    ]
    const faults: History['faults'] = []
    return checkHistory({ ...history, faults, destinationChanges, printerSwitches, isTimeInjected: true }, ['waits'])
  }
  // The other printer is on again, and takes no job either.
  expect(wait(10_000, 12_000)).toMatchObject([{ message: expect.stringContaining('Printer other') }])
  expect(wait(1_000, 31_000)).toMatchObject([{ message: expect.stringContaining('Printer printer A') }])
  expect(wait(30_000, 31_000)).toEqual([])
})

test('a held job neither waits nor is overtaken before its release', () => {
  const history = cleanHistory()
  setSent(history, 'behind it', 91)
  const held = (releasedAtMs: number | null) =>
    checkHistory({ ...history, heldJobs: [{ jobId: 'behind it', startedAtMs: releasedAtMs, releasedAtMs }] })
  const groups = (releasedAtMs: number | null) => held(releasedAtMs).map(({ group }) => group)
  expect(groups(at(90))).not.toContain('waits')
  expect(groups(null)).toContain('resends')
  expect(groups(at(92))).toContain('resends')
})

test('a printer of a batch keeps it when the destination loses the printer', () => {
  const lose = (batchId: string | null) => {
    const history = cleanHistory()
    for (const id of ['at destination', 'behind it']) set(job(history, id), { batchId })
    const lost = { ...kitchen, printerIds: ['other'], startedAtMs: at(71), answeredAtMs: at(71.1) }
    const { destinationChanges } = history
    return checkHistory({ ...history, destinationChanges: [...destinationChanges, lost] }, ['destinations']).length
  }
  expect([lose('a batch of it'), lose(null)]).toEqual([0, 1])
})

test('a printer takes no job of a destination before an older one of its own', () => {
  const history = cleanHistory()
  setSent(history, 'after', 91)
  const facts = { ...history, faults: [], isTimeInjected: true as const }
  expect(checkHistory(facts, ['destinations']).map(({ subject }) => subject)).toEqual(['at destination', 'behind it'])
})

test('a correct run violates nothing', () => expect(checkHistory(cleanHistory())).toEqual([]))

test.each(Object.entries(BROKEN))('%s', (name, change) => {
  const history = cleanHistory()
  change(history)
  expect(checkHistory(history, [name.split(':')[0] as Group])).not.toEqual([])
})
