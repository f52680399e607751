/**
 * A history that a correct run may well leave behind, made by hand, for the checker's tests to change in one place each. Times are
 * seconds from its beginning; resends fall due after 2 s.
 */
import type {
  AgentFacts,
  ClientCall,
  CountRow,
  HeardEvent,
  History,
  JobEventRow,
  JobRow,
  LedgerRow,
  OutboxRow,
  SpoolerCall,
} from '../history.ts'

const START_MS = 1_800_000_000_000
export const at = (seconds: number) => START_MS + seconds * 1000

/** A state and when it was entered. */
type Walk = [state: string, seconds: number][]

interface Story {
  id: string
  organization?: string
  walk: Walk
  expiresAt?: number
  reasons?: string[]
  /** The job whose document it has. */
  reprintOf?: string
  /** Its creation named a URL. */
  serves?: 'document' | 'nothing'
  /** The status of the creation's answer; null for none. */
  answer?: number | null
  /** When it was submitted and released. */
  printed?: [submitted: number, released: number]
  heard?: (event: JobEventRow) => number[]
}

const sha256Of = (id: string) => `sha256 of ${id}`
const ACTORS: Record<string, string> = { received: 'agent', printing: 'agent', done: 'agent', error: 'agent' }

/**
 * The jobs by their ids: `done`, `expired`, `given-back` (sent, resent three times, given back, sent, printed), `unconfirmed`,
 * `unanswered` (its creation had no answer), `resent-at-hello`, `reprint` (of `wiped`), `fetched` and `not-fetched` (which named URLs), and
 * `late` after the last fault. Each is heard 10 ms after each event; `wiped` lost one event with NATS, `republished` heard one twice.
 * Organization B has the live job `other`; all others are test jobs. The creation of `done` has an `Idempotency-Key`: see `retries`. What
 * webhooks make of all that is in `webhook-histories.ts`.
 */
export function goodHistory(): History {
  const stories: Story[] = [
    { id: 'done', walk: printedWalk(1), printed: [1.4, 1.5] },
    {
      id: 'expired',
      walk: [
        ['queued', 1],
        ['sent', 1.2],
        ['expired', 8],
      ],
      expiresAt: 7.9,
    },
    {
      id: 'given-back',
      walk: [
        ['queued', 2],
        ['sent', 2.1],
        ['sent', 4.2],
        ['sent', 6.3],
        ['sent', 8.4],
        ['queued', 10.5],
        ...printedWalk(10.5).slice(1),
      ],
      printed: [10.9, 11],
    },
    {
      id: 'unconfirmed',
      walk: [
        ['queued', 3],
        ['sent', 3.1],
        ['received', 3.3],
        ['error', 5],
      ],
      reasons: ['unconfirmed'],
      printed: [3.4, 3.5],
    },
    { id: 'unanswered', walk: printedWalk(4), printed: [4.4, 4.5], answer: null },
    {
      id: 'failed-answer',
      walk: [
        ['queued', 4],
        ['sent', 4.1],
        ['error', 4.4],
      ],
      answer: 503,
      reasons: ['document-missing'],
    },
    {
      id: 'resent-at-hello',
      walk: [['queued', 20], ['sent', 20.1], ['sent', 20.6], ...printedWalk(20.5).slice(2)],
      printed: [20.9, 21],
    },
    {
      id: 'wiped',
      walk: printedWalk(30),
      printed: [30.4, 30.5],
      heard: ({ state, createdAtMs }) => (state === 'sent' ? [] : [createdAtMs + 10]),
    },
    {
      id: 'republished',
      walk: printedWalk(60),
      printed: [60.4, 60.5],
      heard: ({ state, createdAtMs }) =>
        state === 'queued' ? [createdAtMs + 10, createdAtMs + 5_000] : [createdAtMs + 10],
    },
    {
      id: 'not-fetched',
      walk: [
        ['queued', 1],
        ['error', 1.3],
      ],
      reasons: ['fetch-failed'],
      serves: 'nothing',
    },
    { id: 'fetched', walk: printedWalk(65), printed: [65.4, 65.5], serves: 'document' },
    { id: 'reprint', walk: printedWalk(45), printed: [45.4, 45.5], reprintOf: 'wiped' },
    {
      id: 'timed-out',
      walk: [...printedWalk(40).slice(0, 4), ['error', 51.1]],
      reasons: ['spooler-timeout'],
      printed: [40.4, 40.5],
    },
    {
      id: 'agent-lost',
      walk: [...printedWalk(70).slice(0, 3), ['error', 85]],
      reasons: ['agent-lost'],
      printed: [70.4, 70.5],
    },
    { id: 'late', walk: printedWalk(100), printed: [100.4, 100.5] },
    { id: 'other', organization: 'B', walk: printedWalk(100), printed: [100.4, 100.5] },
  ]
  const events = stories.flatMap(eventsOf)
  return {
    seed: 1,
    settings: {
      resendAfterMs: 2_000,
      resendsMax: 3,
      printingTimeoutMs: 10_000,
      agentLostMs: 10_000,
      webhookGapsMs: [],
    },
    calls: [...stories.flatMap(callsOf), ...retries(), lostCreation(), rejectedCreation()],
    spoolerCalls: stories.flatMap(spoolerCallsOf),
    heardEvents: stories.flatMap(heardOf).toSorted((a, b) => a.atMs - b.atMs),
    faults: [
      { kind: 'kill -9', target: 'agent-0', startedAtMs: at(20.2), endedAtMs: at(20.5) },
      { kind: 'wipe NATS', target: 'nats-server', startedAtMs: at(30.05), endedAtMs: at(30.2) },
    ],
    endpoints: [],
    receivedWebhooks: [],
    agents: [agentOf('A', [at(0.5), at(20.61), at(90)]), agentOf('B', [at(0.5)])],
    database: {
      jobs: stories.map(jobOf),
      events,
      outbox: [],
      fetches: [],
      ledger: [{ ...LEDGER_ROW }],
      counts: [{ ...COUNT_ROW }],
      feed: [],
      deliveries: [],
      attempts: [],
    },
    storedDocuments: [
      ...stories
        .filter(({ answer, reprintOf, serves }) => answer !== 503 && reprintOf === undefined && serves !== 'nothing')
        .map(({ id }) => `document-${id}`),
      'document-of-the-lost-creation',
    ],
    consumerLag: { 'devices-dispatch': 0, 'usage-ledger': 0 },
    keptEventIds: [],
    unexpectedEnds: [],
    collectedAtMs: at(200),
    leaks: [],
  }
}

const LEDGER_ROW: LedgerRow = { eventId: 'other/1', jobId: 'other', organizationId: 'B', jobCreatedAtMs: at(100) }
const COUNT_ROW: CountRow = { organizationId: 'B', periodStartMs: Date.UTC(2027, 0), prints: 1 }

function printedWalk(from: number): Walk {
  return [
    ['queued', from],
    ['sent', from + 0.1],
    ['received', from + 0.3],
    ['printing', from + 1],
    ['done', from + 2],
  ]
}

export function eventsOf({ id, walk }: Story): JobEventRow[] {
  return walk.map(([state, seconds], index) => ({
    id: `${id}/${index + 1}`,
    jobId: id,
    sequence: index + 1,
    state,
    actor: index === 0 ? 'api' : (ACTORS[state] ?? 'system'),
    message: null,
    createdAtMs: at(seconds),
  }))
}

function jobOf({ id, organization = 'A', walk, expiresAt = 3_600, reasons = [], reprintOf, serves }: Story): JobRow {
  const [last = 'queued', lastAt = 0] = walk.at(-1) ?? []
  const lastRound = walk.slice(walk.findLastIndex(([state]) => state === 'queued'))
  const first = (state: string) => {
    const found = lastRound.find(([entered]) => entered === state)
    return found ? at(found[1]) : null
  }
  return {
    id,
    organizationId: organization,
    mode: organization === 'B' ? 'live' : 'test',
    printerId: `printer of ${organization}`,
    computerId: `computer of ${organization}`,
    title: `Invoice [marker ${id}]`,
    qty: 2,
    storageKey: serves === 'nothing' ? null : `document-${reprintOf ?? id}`,
    fileSha256: serves === 'nothing' ? null : sha256Of(reprintOf ?? id),
    reprintOf: reprintOf ?? null,
    state: last,
    stateReasons: reasons,
    version: walk.length,
    attempt: walk.filter(([state]) => state === 'sent').length,
    createdAtMs: at(walk[0]?.[1] ?? 0),
    expiresAtMs: at(expiresAt),
    sentAtMs: first('sent'),
    receivedAtMs: first('received'),
    printingAtMs: first('printing'),
    finishedAtMs: at(lastAt),
  }
}

/** The creation, and for what was answered a reading after the end. */
function callsOf({
  id,
  organization: organizationId = 'A',
  walk,
  answer = 201,
  reprintOf,
  serves,
}: Story): ClientCall[] {
  const [createdAt = 0, [last, lastAt] = ['', 0]] = [walk[0]?.[1], walk.at(-1)]
  const creation: ClientCall = {
    kind: 'create',
    organizationId,
    marker: `marker ${id}`,
    ...(serves === 'nothing' ? {} : { contentSha256: sha256Of(reprintOf ?? id) }),
    qty: 2,
    startedAtMs: at(createdAt - 0.05),
    namedIds: [],
    ...(serves === undefined ? {} : { serves }),
    ...(reprintOf === undefined ? {} : { reprintOf }),
    ...(id === 'done' ? { key: DONE_KEY } : {}),
  }
  if (answer === null) return [creation]
  const answered = { ...creation, endedAtMs: at(createdAt + 0.05), status: answer }
  if (answer !== 201) return [answered]
  const namedIds = [id, `printer of ${organizationId}`, `computer of ${organizationId}`]
  const reading = { kind: 'get' as const, organizationId, status: 200, jobId: id, namedIds }
  return [
    { ...answered, jobId: id, namedIds },
    { ...reading, state: 'queued', startedAtMs: at(createdAt + 0.06), endedAtMs: at(createdAt + 0.2) },
    { ...reading, state: last, startedAtMs: at(lastAt + 1), endedAtMs: at(lastAt + 1.1) },
  ]
}

const DONE_KEY = 'the key of done'

/** The creation of `done` was sent again, while it was under way and when it was done; and its key with another body. */
function retries(): ClientCall[] {
  const answered: ClientCall = {
    kind: 'create',
    organizationId: 'A',
    marker: 'marker done',
    key: DONE_KEY,
    contentSha256: sha256Of('done'),
    qty: 2,
    startedAtMs: at(1.3),
    endedAtMs: at(1.4),
    namedIds: [],
  }
  const namedIds = ['done', 'printer of A', 'computer of A']
  return [
    { ...answered, status: 409 },
    { ...answered, status: 201, isReplay: true, jobId: 'done', namedIds },
    { ...answered, marker: 'marker done otherwise', status: 422 },
  ]
}

/** Nobody answered, and no job was made; the document lies there. */
function lostCreation(): ClientCall {
  return {
    kind: 'create',
    organizationId: 'A',
    marker: 'marker lost',
    contentSha256: sha256Of('lost'),
    qty: 1,
    startedAtMs: at(5),
    namedIds: [],
  }
}

function rejectedCreation(): ClientCall {
  return { ...lostCreation(), marker: 'marker rejected', endedAtMs: at(5.1), status: 422 }
}

function spoolerCallsOf({ id, printed, organization = 'A', reprintOf }: Story): SpoolerCall[] {
  if (!printed) return []
  const job = {
    agent: agentNameOf(organization),
    token: id,
    spoolerJobId: `${id} at the spooler`,
    printer: `printer of ${organization}`,
    sha256: sha256Of(reprintOf ?? id),
    qty: 2,
  }
  const [submitted, released] = printed
  return [
    { ...job, call: 'submit', atMs: at(submitted) },
    { ...job, call: 'release', atMs: at(released) },
  ]
}

function heardOf(story: Story): HeardEvent[] {
  const { organization = 'A', heard = ({ createdAtMs }: JobEventRow) => [createdAtMs + 10] } = story
  const events = eventsOf(story)
  return events
    .filter(({ state }, index) => !(state === 'sent' && events[index - 1]?.state === 'sent'))
    .flatMap((event) => heard(event).map((atMs) => heardEvent(event, organization, atMs)))
}

export function heardEvent(
  { id, jobId, state, sequence }: JobEventRow,
  organizationId: string,
  atMs: number,
): HeardEvent {
  return { eventId: id, subject: `platen.jobs.test.${state}`, jobId, organizationId, state, sequence, atMs }
}

export const agentNameOf = (organizationId: string) => (organizationId === 'A' ? 'agent-0' : 'agent-1')

function agentOf(organizationId: string, welcomedAtMs: number[]): AgentFacts {
  return {
    name: agentNameOf(organizationId),
    computerId: `computer of ${organizationId}`,
    organizationId,
    unsettledJobIds: [],
    welcomedAtMs,
  }
}

export function outboxRow(eventId: string): OutboxRow {
  return {
    eventId,
    jobId: 'done',
    subject: 'platen.jobs.test.done',
    awaiting: [],
    publications: 0,
    publishedAtMs: null,
  }
}
