/** The rules, each with the least change of the good history that breaks it and no other. */
import type { History } from '../history.ts'
import {
  copyJob,
  countIn,
  creationIn,
  eventIn,
  forget,
  hear,
  hearLater,
  jobIn,
  printIn,
  readingIn,
  releaseAgain,
  releaseIn,
  replayIn,
  rewrite,
  submissionIn,
  submit,
} from './changes.ts'
import { at, outboxRow } from './histories.ts'

/** Gives a part of a history other facts. */
const set = <Part extends object>(part: Part, facts: Partial<Part>) => void Object.assign(part, facts)

type Broken = [invariant: string, rule: string, change: (history: History) => void]

export const BROKEN: Broken[] = [
  ['S1', 'a job that was answered 201 exists', (h) => forget(h, 'done')],
  ['S1', 'every job is explained by a call', (h) => set(jobIn(h, 'done'), { title: 'Invoice' })],
  ['S1', 'a creation makes one job', (h) => copyJob(h, 'late')],
  ['S1', 'a creation without an answer makes one job at most', (h) => copyJob(h, 'unanswered')],
  ['S1', 'a rejected creation makes none', (h) => set(creationIn(h, 'unanswered'), { status: 422 })],
  ['S1', 'the job is of the organization that asked', (h) => set(creationIn(h, 'unanswered'), { organizationId: 'B' })],
  ['S1', 'the job has the quantity that was asked for', (h) => set(creationIn(h, 'late'), { qty: 3 })],
  ['S1', 'the job has the document that was sent', (h) => set(creationIn(h, 'late'), { contentSha256: 'another' })],
  [
    'S1',
    'the job has the document that its server sent',
    (h) => set(creationIn(h, 'fetched'), { contentSha256: 'other' }),
  ],
  ['S1', 'a reprint is one of the job that was asked for', (h) => set(jobIn(h, 'reprint'), { reprintOf: 'done' })],
  ['S1', 'what was not asked for as a reprint is none', (h) => set(jobIn(h, 'late'), { reprintOf: 'late' })],
  [
    'S1',
    'a reprint has the document of its original, whatever its client knows of that',
    (h) => {
      const sha256 = 'another'
      set(creationIn(h, 'reprint'), { contentSha256: sha256 })
      set(jobIn(h, 'reprint'), { fileSha256: sha256 })
      for (const call of h.spoolerCalls.filter(({ token }) => token === 'reprint')) set(call, { sha256 })
    },
  ],
  [
    'S1',
    'a reprint of a job that has its document is not refused',
    (h) => h.calls.push({ ...creationIn(h, 'rejected'), marker: 'marker refused', reprintOf: 'done', status: 410 }),
  ],

  [
    'S2',
    'the sequence has no gap',
    (h) => {
      for (const event of [eventIn(h, 'late/5'), ...h.heardEvents.filter(({ eventId }) => eventId === 'late/5')])
        event.sequence = 6
      set(jobIn(h, 'late'), { version: 6 })
    },
  ],
  ['S2', 'the first event is queued', (h) => rewriteState(h, 'late', 0, 'error')],
  ['S2', 'received is not entered again', (h) => rewriteState(h, 'late', 3, 'received')],
  ['S2', 'printing is not left out', (h) => rewrite(h, 'late', (events) => events.toSpliced(3, 1))],
  [
    'S2',
    'nothing follows a final state',
    (h) =>
      rewrite(h, 'late', (events) => [...events, { ...eventIn(h, 'late/5'), state: 'error', createdAtMs: at(103) }]),
  ],
  ['S2', 'the job is in the state of its last event', (h) => set(jobIn(h, 'unconfirmed'), { state: 'done' })],
  ['S2', 'the version counts the events', (h) => set(jobIn(h, 'done'), { version: 4 })],
  ['S2', 'the attempt counts the sendings', (h) => set(jobIn(h, 'given-back'), { attempt: 1 })],
  ['S2', 'a time stamp is that of its event', (h) => set(jobIn(h, 'done'), { printingAtMs: at(1.9) })],
  [
    'S2',
    'a state that was not entered has no time stamp',
    (h) => set(jobIn(h, 'unconfirmed'), { printingAtMs: at(4) }),
  ],
  [
    'S2',
    'times do not decrease',
    (h) => {
      set(eventIn(h, 'late/4'), { createdAtMs: at(97) })
      set(jobIn(h, 'late'), { printingAtMs: at(97) })
    },
  ],

  ['S3', 'no two events have one id', (h) => set(eventIn(h, 'late/1'), { id: 'other/1' })],
  [
    'S3',
    'each event is told',
    (h) => {
      h.heardEvents = h.heardEvents.filter(({ eventId }) => eventId !== 'late/4')
    },
  ],
  [
    'S3',
    'each event is told, also while NATS is away',
    (h) => {
      h.faults.push({ kind: 'kill -9', target: 'nats-server', startedAtMs: at(100), endedAtMs: at(102.5) })
      h.heardEvents = h.heardEvents.filter(({ eventId }) => eventId !== 'late/4')
    },
  ],
  ['S3', 'what is told is recorded', (h) => hear(h, { ...eventIn(h, 'late/5'), id: 'rolled back' }, at(103))],
  ['S3', 'an event is told with one content', (h) => hear(h, { ...eventIn(h, 'late/5'), state: 'error' }, at(103))],
  ['S3', 'a resend is not told', (h) => hear(h, eventIn(h, 'given-back/3'), at(5))],
  ['S3', 'the events of a job are told in their order', (h) => hearLater(h, 'late/3', at(103))],

  ['S4', 'a job is released once', (h) => releaseAgain(h, 'done')],
  ['S4', 'a job whose outcome is unknown is released once', (h) => releaseAgain(h, 'unconfirmed')],
  ['S4', 'the spooler gets the document', (h) => set(submissionIn(h, 'done'), { sha256: 'cut off' })],
  [
    'S4',
    'the spooler gets the document of the original',
    (h) => set(submissionIn(h, 'reprint'), { sha256: 'cut off' }),
  ],
  ['S4', 'the spooler gets the quantity', (h) => set(submissionIn(h, 'done'), { qty: 1 })],
  [
    'S4',
    'the spooler gets no unknown job',
    (h) => h.spoolerCalls.push({ ...submissionIn(h, 'done'), token: 'nobody' }),
  ],

  ['S5', 'an expired job never reaches the spooler', (h) => submit(h, 'expired')],
  [
    'S5',
    'a job whose agent was lost is not released when it is back',
    (h) => set(releaseIn(h, 'agent-lost'), { atMs: at(110) }),
  ],

  [
    'S6',
    'a job that is done was released',
    (h) => {
      h.spoolerCalls = h.spoolerCalls.filter(({ call, token }) => call === 'submit' || token !== 'done')
    },
  ],

  [
    'S6',
    'the service gives up no job whose agent has its journal',
    (h) => set(eventIn(h, 'unconfirmed/4'), { actor: 'system' }),
  ],

  ['S7', 'nothing reaches the spooler before it is received', (h) => set(submissionIn(h, 'late'), { atMs: at(100.2) })],
  ['S7', 'nothing reaches the spooler that is never received', (h) => submit(h, 'failed-answer')],
  ['S7', 'no state is read before it is entered', (h) => set(readingIn(h, 'late', 0), { state: 'printing' })],
  ['S7', 'no state is read that is known to be left', (h) => set(readingIn(h, 'late', 1), { state: 'printing' })],
  [
    'S7',
    'a job that was answered 201 is found',
    (h) => set(readingIn(h, 'late', 0), { status: 404, state: undefined, namedIds: [] }),
  ],

  ['S8', 'the answers of a key name one job', (h) => set(replayIn(h), { jobId: 'late' })],
  ['S8', 'one answer of a key says that it made the job', (h) => set(replayIn(h), { isReplay: false })],
  [
    'S8',
    'a key makes one job, whatever its bodies',
    (h) => {
      copyJob(h, 'done')
      set(jobIn(h, 'copy of done'), { title: 'Invoice [marker done otherwise]' })
      set(creationIn(h, 'done otherwise'), { status: undefined })
    },
  ],

  [
    'S9',
    'a job is sent again three times at most',
    (h) =>
      rewrite(h, 'given-back', (events) =>
        events.toSpliced(5, 0, { ...eventIn(h, 'given-back/5'), createdAtMs: at(10.45) }),
      ),
  ],
  ['S9', 'a job is not sent again too early', (h) => set(eventIn(h, 'given-back/4'), { createdAtMs: at(5) })],
  [
    'S9',
    'a resend at a hello needs a hello',
    (h) => {
      h.faults.shift()
      for (const agent of h.agents) agent.welcomedAtMs = [at(0.5)]
    },
  ],
  [
    'S9',
    'a job is not given back before its resends',
    (h) => rewrite(h, 'given-back', (events) => events.toSpliced(4, 1)),
  ],
  [
    'S9',
    'a job does not stay unacknowledged',
    (h) => {
      set(eventIn(h, 'expired/3'), { createdAtMs: at(90) })
      set(jobIn(h, 'expired'), { expiresAtMs: at(89), finishedAtMs: at(90) })
      set(readingIn(h, 'expired', 1), { startedAtMs: at(91), endedAtMs: at(92) })
    },
  ],
  ['S9', 'a job does not expire before its time', (h) => set(jobIn(h, 'expired'), { expiresAtMs: at(8.1) })],
  ['S9', 'the spooler does not time out before its time', (h) => set(h.settings, { printingTimeoutMs: 10_200 })],
  [
    'S9',
    'the spooler does not time out before it prints',
    (h) => set(jobIn(h, 'unconfirmed'), { stateReasons: ['spooler-timeout'] }),
  ],
  ['S9', 'an agent that was there is not lost', (h) => set(h.settings, { agentLostMs: 70_000 })],
  [
    'S9',
    'no job is lost with its agent that the agent did not have',
    (h) => set(jobIn(h, 'failed-answer'), { stateReasons: ['agent-lost'] }),
  ],
  ['S9', 'a job is not received long after its time', (h) => set(jobIn(h, 'late'), { expiresAtMs: at(80) })],

  ['S12', 'each live job is a print', (h) => h.database.ledger.pop()],
  ['S12', 'a live job is one print', (h) => h.database.ledger.push(...h.database.ledger)],
  ['S12', 'a print is known by the first event of its job', (h) => set(printIn(h), { eventId: 'other/2' })],
  ['S12', 'a print is of the organization of its job', (h) => set(printIn(h), { organizationId: 'A' })],
  ['S12', 'a print has the time of its job', (h) => set(printIn(h), { jobCreatedAtMs: at(101) })],
  ['S12', 'a test job is no print', (h) => h.database.ledger.push({ ...printIn(h), jobId: 'done', eventId: 'done/1' })],
  ['S12', 'a print is of a job', (h) => h.database.ledger.push({ ...printIn(h), jobId: 'nobody', eventId: 'no/1' })],
  ['S12', 'the count is that of the jobs', (h) => set(countIn(h), { prints: 2 })],
  ['S12', 'a job counts in its own month', (h) => set(countIn(h), { periodStartMs: Date.UTC(2027, 1) })],
  ['S12', 'every organization that printed has its count', (h) => h.database.counts.pop()],

  ['S13', 'no answer names a job of another organization', (h) => readingIn(h, 'late', 0).namedIds.push('other')],
  ['S13', 'no answer names a computer of another one', (h) => readingIn(h, 'late', 0).namedIds.push('computer of B')],
  ['S13', 'no job goes to a computer of another one', (h) => set(jobIn(h, 'done'), { computerId: 'computer of B' })],

  [
    'S13',
    'no job is a reprint of one of another organization',
    (h) => {
      const { sha256 } = submissionIn(h, 'other')
      set(jobIn(h, 'reprint'), { reprintOf: 'other', fileSha256: sha256 })
      set(creationIn(h, 'reprint'), { reprintOf: 'other', contentSha256: sha256 })
      for (const call of h.spoolerCalls.filter(({ token }) => token === 'reprint')) set(call, { sha256 })
    },
  ],
  [
    'S13',
    'no job is printed on a computer that is not its own',
    (h) => set(submissionIn(h, 'done'), { agent: 'agent-1' }),
  ],

  ['S14', 'no credential is found where it must not be', (h) => h.leaks.push('jobs.log: key of A')],

  [
    'S16',
    'a job whose server has nothing does not go out',
    (h) => set(creationIn(h, 'fetched'), { serves: 'nothing' }),
  ],
  [
    'S16',
    'a job whose server has nothing gets no document',
    (h) => set(jobIn(h, 'not-fetched'), { fileSha256: 'half of it' }),
  ],
  [
    'S16',
    'a job whose server has nothing says that its fetch failed',
    (h) => set(jobIn(h, 'not-fetched'), { stateReasons: ['document-missing'] }),
  ],
  [
    'S16',
    'a job whose server has its document does not fail for that',
    (h) => set(creationIn(h, 'not-fetched'), { serves: 'document' }),
  ],

  [
    'L1',
    'every job comes to an end',
    (h) => {
      rewrite(h, 'late', (events) => events.slice(0, 3))
      set(jobIn(h, 'late'), { printingAtMs: null, finishedAtMs: null })
    },
  ],
  ['L1', 'every journal comes to an end', (h) => h.agents[0]?.unsettledJobIds.push('done')],
  ['L2', 'the outbox gets empty', (h) => h.database.outbox.push(outboxRow('done/5'))],
  ['L4', 'the document of a job stays', (h) => h.storedDocuments.shift()],
  ['L4', 'a document that no creation explains does not stay', (h) => h.storedDocuments.push('orphan')],
  ['L4', 'what a fetch stored in vain does not stay', (h) => h.storedDocuments.push('fetched-1')],
  ['L5', 'no consumer lags', (h) => set(h.consumerLag, { 'devices-dispatch': 1 })],
  [
    'L6',
    'an agent that was killed comes back',
    (h) => h.faults.push({ kind: 'kill -9', target: 'agent-1', startedAtMs: at(110), endedAtMs: at(111) }),
  ],
  [
    'L6',
    'an agent comes at all',
    (h) =>
      h.agents.push({
        name: 'agent-2',
        computerId: 'computer of C',
        organizationId: 'C',
        unsettledJobIds: [],
        welcomedAtMs: [],
      }),
  ],
  ['L8', 'nothing is held for a fetch that is over', (h) => h.database.fetches.push({ jobId: 'fetched', attempt: 1 })],
  ['L7', 'no process ends by itself', (h) => h.unexpectedEnds.push('agent-1: exit code 1')],
]

/** The time stamps of the job are left as they are. */
function rewriteState(history: History, id: string, index: number, state: string): void {
  rewrite(history, id, (events) => events.map((event, at) => (at === index ? { ...event, state } : event)))
}

/** What looks wrong and is not. */
export const ALLOWED: [rule: string, change: (history: History) => void][] = [
  [
    'an event that was published while the listener was deaf is kept by the stream',
    (h) => {
      h.keptEventIds = h.heardEvents.flatMap(({ eventId, jobId }) => (jobId === 'late' ? [eventId] : []))
      h.heardEvents = h.heardEvents.filter(({ jobId }) => jobId !== 'late')
    },
  ],
  [
    'an event that was published while NATS was away may stay unheard, and be wiped later',
    (h) => {
      h.faults.push({ kind: 'kill -9', target: 'nats-server', startedAtMs: at(100), endedAtMs: at(102.5) })
      h.faults.push({ kind: 'wipe NATS', target: 'nats-server', startedAtMs: at(104), endedAtMs: at(105) })
      h.heardEvents = h.heardEvents.filter(({ jobId }) => jobId !== 'late')
    },
  ],
  [
    'an agent whose stream outlived the last fault is not welcomed after it',
    (h) => h.faults.push({ kind: 'pause', target: 'jobs-0', startedAtMs: at(95), endedAtMs: at(99) }),
  ],
  [
    'a reprint of a job of another organization is refused',
    (h) => h.calls.push({ ...creationIn(h, 'rejected'), marker: 'marker refused', reprintOf: 'other', status: 404 }),
  ],
  [
    'a fetch may run out of time while its replica stands still',
    (h) => {
      set(creationIn(h, 'not-fetched'), { serves: 'document' })
      h.faults.push({ kind: 'pause', target: 'jobs-1', startedAtMs: at(1.1), endedAtMs: at(1.2) })
    },
  ],
  [
    'what an attempt stored stays when a fault ends it',
    (h) => {
      h.storedDocuments.push('not-fetched-1')
      h.faults.push({ kind: 'kill -9', target: 'jobs-1', startedAtMs: at(1.1), endedAtMs: at(1.2) })
    },
  ],
  [
    'a reprint of a job that is still being fetched is refused',
    (h) => h.calls.push({ ...creationIn(h, 'rejected'), marker: 'marker refused', reprintOf: 'fetched', status: 410 }),
  ],
  ['a job may be submitted twice and released once', (h) => submit(h, 'done')],
  ['a job whose creation failed may be printed', (h) => set(creationIn(h, 'late'), { status: 503, jobId: undefined })],
  [
    'a change that a fault held up may bear an older time',
    (h) => {
      h.faults.push({ kind: 'delay', target: 'jobs-0 > postgres', startedAtMs: at(98), endedAtMs: at(102) })
      set(eventIn(h, 'late/4'), { createdAtMs: at(97) })
      set(jobIn(h, 'late'), { printingAtMs: at(97) })
    },
  ],
]
