/** The rules about webhooks, each with the least change of the good history that breaks it and no other. */
import type { AttemptRow, DeliveryRow, FeedRow, History, ReceivedWebhook } from '../history.ts'
import { at } from './histories.ts'
import { LONG_AFTER_MS, received } from './webhook-histories.ts'

type Broken = [invariant: string, rule: string, change: (history: History) => void]

const set = <Part extends object>(part: Part, facts: Partial<Part>) => void Object.assign(part, facts)

function found<T>(what: T | undefined): T {
  if (what === undefined) throw new Error('The history has no such thing.')
  return what
}

const eventIn = ({ database }: History, id: string): FeedRow => found(database.feed.find((event) => event.id === id))
const receivedIn = ({ receivedWebhooks }: History, endpoint: string, eventId: string): ReceivedWebhook =>
  found(receivedWebhooks.find((each) => each.endpoint === endpoint && each.webhookId === eventId))
const deliveryIn = ({ database }: History, endpoint: string, eventId: string): DeliveryRow =>
  found(database.deliveries.find(({ id }) => id === `${eventId} to ${endpoint}`))
const attemptIn = ({ database }: History, delivery: string, number: number): AttemptRow =>
  found(database.attempts.find((attempt) => attempt.deliveryId === delivery && attempt.number === number))

const LATE = 'late/5 to all of A'
const DONE = 'done/5 to all of A'
const comes = (h: History, endpoint: string, event: FeedRow) =>
  h.receivedWebhooks.push(received(endpoint, event, LONG_AFTER_MS, 204))

export const BROKEN_WEBHOOKS: Broken[] = [
  ['S10', 'a webhook is signed', (h) => set(receivedIn(h, 'all of A', 'done/1'), { isSigned: false, eventId: null })],
  ['S10', 'a webhook comes to an endpoint', (h) => comes(h, '/nobody', eventIn(h, 'done/1'))],
  ['S10', 'a webhook has the id of its event', (h) => set(receivedIn(h, 'all of A', 'late/5'), { eventId: 'late/4' })],
  ['S10', 'a webhook is an event of the feed', (h) => comes(h, 'all of A', { ...eventIn(h, 'done/1'), id: 'none' })],
  ['S10', 'the bytes are the same each time', (h) => set(receivedIn(h, 'all of A', 'late/5'), { bodySha256: 'other' })],
  ['S10', 'organizations do not mix', (h) => comes(h, 'all of B', eventIn(h, 'done/1'))],
  ['S10', 'modes do not mix', (h) => comes(h, 'live of A', eventIn(h, 'done/1'))],
  ['S10', 'only what was subscribed to comes', (h) => comes(h, 'little of A', eventIn(h, 'done/1'))],

  [
    'S11',
    'each event that was subscribed to has a delivery',
    (h) => {
      h.database.deliveries = h.database.deliveries.filter(({ id }) => id !== DONE)
    },
  ],
  [
    'S11',
    'each event has one delivery',
    (h) => h.database.deliveries.push({ ...deliveryIn(h, 'all of A', 'done/5'), id: 'again', status: 'failed' }),
  ],
  [
    'S11',
    'each event came',
    (h) => {
      h.receivedWebhooks = h.receivedWebhooks.filter(
        ({ endpoint, webhookId }) => endpoint !== 'all of A' || webhookId !== 'done/5',
      )
      set(deliveryIn(h, 'all of A', 'done/5'), { status: 'failed', deliveredAtMs: null })
      set(attemptIn(h, DONE, 1), { statusCode: null, errorClass: 'connect' })
    },
  ],
  ['S11', 'an attempt does not come before its gap is over', (h) => set(attemptIn(h, LATE, 3), { atMs: at(103.6) })],
  ['S11', 'attempts are numbered', (h) => set(attemptIn(h, LATE, 3), { number: 4 })],
  [
    'S11',
    'nothing is attempted after a success',
    (h) => {
      set(attemptIn(h, LATE, 2), { statusCode: 200, errorClass: null })
    },
  ],
  [
    'S11',
    'attempts have an end',
    (h) => {
      const last = attemptIn(h, LATE, 3)
      set(last, { statusCode: 500, errorClass: 'status' })
      h.database.attempts.push({ ...last, number: 4, atMs: LONG_AFTER_MS, statusCode: 204, errorClass: null })
      set(deliveryIn(h, 'all of A', 'late/5'), { deliveredAtMs: LONG_AFTER_MS + 5 })
    },
  ],
  ['S11', 'a success is remembered', (h) => set(deliveryIn(h, 'all of A', 'done/5'), { status: 'failed' })],
  ['S11', 'a success was given', (h) => set(receivedIn(h, 'all of A', 'done/5'), { status: 500 })],
  [
    'S11',
    'a delivery does not come again once its success is recorded',
    (h) => comes(h, 'all of A', eventIn(h, 'done/5')),
  ],

  [
    'L3',
    'no delivery is overdue',
    (h) => {
      set(deliveryIn(h, 'all of A', 'done/5'), { status: 'pending', nextAttemptAtMs: at(190), deliveredAtMs: null })
      set(attemptIn(h, DONE, 1), { statusCode: 503, errorClass: 'status' })
    },
  ],
  [
    'L3',
    'each event of a job is in the feed',
    (h) => {
      h.database.feed = h.database.feed.filter(({ id }) => id !== 'done/1')
      h.database.deliveries = h.database.deliveries.filter(({ eventId }) => eventId !== 'done/1')
      h.receivedWebhooks = h.receivedWebhooks.filter(({ webhookId }) => webhookId !== 'done/1')
    },
  ],
  ['L3', 'the feed has no event of a job that never was', (h) => addEvent(h, { id: 'rolled back', sequence: 9 })],
  ['L3', 'a resend is in no feed', (h) => addEvent(h, { id: 'given-back/3', sequence: 3, resourceId: 'given-back' })],
  ['L3', 'the feed has the event as it was', (h) => set(eventIn(h, 'done/1'), { sequence: 7 })],
  [
    'L3',
    'a change is told once',
    (h) => addEvent(h, { id: 'twice', type: 'printer.online' }, { id: 'again', type: 'printer.offline' }),
  ],
]

/** Of live mode in organization A, where nobody has a delivery of it to miss. */
function addEvent(h: History, ...events: Partial<FeedRow>[]): void {
  h.endpoints = h.endpoints.filter(({ id }) => id !== 'live of A')
  for (const event of events) h.database.feed.push({ ...eventIn(h, 'done/1'), mode: 'live', sequence: 9, ...event })
}

export const WEBHOOKS_ALLOWED: [rule: string, change: (history: History) => void][] = [
  [
    'a worker that stood still in the middle of an attempt may end it when another one has succeeded',
    (h) => {
      const { deliveredAtMs } = deliveryIn(h, 'all of A', 'done/5')
      const startedAtMs = (deliveredAtMs ?? 0) - 1
      h.faults.push({ kind: 'pause', target: 'webhooks-0', startedAtMs, endedAtMs: startedAtMs + 1_000 })
      h.receivedWebhooks.push(received('all of A', eventIn(h, 'done/5'), startedAtMs + 1_001, 204))
    },
  ],
  ['an attempt may come late', (h) => set(attemptIn(h, LATE, 3), { atMs: LONG_AFTER_MS })],
  [
    'a delivery may wait for its next attempt',
    (h) => {
      set(deliveryIn(h, 'all of A', 'done/5'), { status: 'pending', nextAttemptAtMs: at(201), deliveredAtMs: null })
      set(attemptIn(h, DONE, 1), { statusCode: 503, errorClass: 'status' })
    },
  ],
]
