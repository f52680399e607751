import { type Entry, entries } from '../entry.ts'
import {
  DEVICES_IN_FEED,
  EVERY_TRIGGER,
  eventFeed,
  eventPayload,
  eventsAtGateway,
  keepDays,
  recordEvents,
  wholeFeed,
} from '../named-tests.ts'

const TO_DONE = wholeFeed(
  'each state on the way to done is an event with the id of the job event, and shows the job as it was then',
)
const OTHER_ENDS = wholeFeed('a cancel, an error and an expiry are events that show the job as it ended')
const AS_GET_DOES = ['plain', 'warned of options', 'without a document yet', 'with all that text may hold'].map(
  (what) => eventPayload(`the event of each change shows the job as GET does at that moment: ${what}`),
) as [string, ...string[]]
const BECOMES_EVENT = recordEvents(
  'a change of a job becomes an event with the id of the job event, and its body says what the job was',
)
const OF_DEVICES = recordEvents(
  'changes of computers and printers become events, those of printers without capabilities',
)
const passedOn = (query: string) => eventsAtGateway(`GET /v1/events > "${query}" is passed on`)
const refused = (query: string) => eventsAtGateway(`GET /v1/events > "${query}" is refused by name`)
const COMMIT_ORDER = eventFeed(
  'a poller that follows the cursor sees each of 20,000 events of 16 concurrent writers exactly once, in an order that never goes back',
)
const OWN_EVENTS = eventFeed('the feed has the events of one organization and mode, by either direction and in pages')
const SAME_BYTES = eventFeed('an event is shown in the bytes that are delivered, in the feed and by its id')
const TYPES = eventFeed('types narrow the feed to any of them, in its order, in both directions and from any place')
const THIRTY_DAYS = eventFeed(
  'an event is shown for 30 days and not a moment longer, whether or not its day is dropped by then',
)
const DROPPED = keepDays('a day is dropped when all of it is older than 30 days, and not before')
const LONG_POLLS = wholeFeed(
  'who follows the feed by long polls, at whichever gateway, hears of every job of 16 clients once',
)

export const EVENTS: Entry[] = [
  ...entries('specification: Webhook event types', [
    ['event.printjob.queued', '`printjob.queued` is emitted when a job enters `queued`.', EVERY_TRIGGER, TO_DONE],
    ['event.printjob.sent', '`printjob.sent` is emitted when a job enters `sent`.', EVERY_TRIGGER, TO_DONE],
    ['event.printjob.received', '`printjob.received` is emitted when a job enters `received`.', EVERY_TRIGGER, TO_DONE],
    ['event.printjob.printing', '`printjob.printing` is emitted when a job enters `printing`.', EVERY_TRIGGER, TO_DONE],
    ['event.printjob.done', '`printjob.done` is emitted when a job enters `done`.', EVERY_TRIGGER, TO_DONE],
    ['event.printjob.error', '`printjob.error` is emitted when a job enters `error`.', EVERY_TRIGGER, OTHER_ENDS],
    [
      'event.printjob.cancelled',
      '`printjob.cancelled` is emitted when a job enters `cancelled`.',
      EVERY_TRIGGER,
      OTHER_ENDS,
    ],
    ['event.printjob.expired', '`printjob.expired` is emitted when a job enters `expired`.', EVERY_TRIGGER, OTHER_ENDS],
  ]),
  ...entries('decisions: Webhooks and events', [
    ['payload.id', 'A payload has `id`.', BECOMES_EVENT, OF_DEVICES],
    ['payload.id.job-event', 'The id of a job event is the id of its webhook event.', BECOMES_EVENT, TO_DONE],
    ['payload.type', 'A payload has `type`.', BECOMES_EVENT, OF_DEVICES],
    ['payload.timestamp', 'A payload has `timestamp`, the time of the event.', BECOMES_EVENT, TO_DONE],
    ['payload.mode', 'A payload has `mode`.', BECOMES_EVENT, OF_DEVICES],
    ['payload.sequence', 'A payload has `sequence`.', BECOMES_EVENT, OF_DEVICES],
    ['payload.sequence.grows', '`sequence` grows with each event of the same resource.', TO_DONE, DEVICES_IN_FEED],
    ['payload.data', 'A payload has `data`.', BECOMES_EVENT, OF_DEVICES],
    ['payload.data.job', '`data` of a job event is the job as GET returns it at that time.', ...AS_GET_DOES, TO_DONE],
    [
      'payload.data.computer',
      '`data` of a computer event is the computer as GET returns it at that time.',
      DEVICES_IN_FEED,
    ],
    [
      'payload.data.printer',
      '`data` of a printer event is the printer at that time, without `capabilities`.',
      DEVICES_IN_FEED,
    ],
    [
      'endpoint.GET /v1/events',
      'The events of the organization and mode are listed, paged.',
      OWN_EVENTS,
      eventsAtGateway('GET /v1/events > answers a page of events as they are delivered'),
    ],
    [
      'endpoint.GET /v1/events/{id}',
      'An event is read by its id.',
      SAME_BYTES,
      eventsAtGateway('GET /v1/events/{id} answers the event, also to capital letters, and 404 where there is none'),
    ],
    ['feed.same-objects', 'The objects of the feed are those of the payloads.', SAME_BYTES, TO_DONE],
    ['feed.type', 'The feed is filtered by `type`.', TYPES, passedOn('?type=printer.added')],
    [
      'feed.type.repeated',
      '`type` may be repeated: any of them.',
      TYPES,
      passedOn('?type=printjob.done&type=computer.*&type=printjob.done'),
    ],
    ['feed.type.pattern', '`type=printjob.*` is all events of jobs.', passedOn('?type=printjob.*'), TYPES],
    ['feed.type.unknown', 'An unknown `type` is a 400.', refused('type=printjob.gone')],
    ['feed.kept', 'Events are kept for 30 days.', THIRTY_DAYS, DROPPED],
    ['feed.deleted', 'After 30 days an event is a 404 and not in the feed.', THIRTY_DAYS, DROPPED],
    [
      'feed.commit-order',
      'The cursor follows commit order without gaps, also under concurrent writers.',
      COMMIT_ORDER,
      LONG_POLLS,
    ],
    [
      'feed.cursor.last-page',
      '`nextCursor` is set also when `hasMore` is false.',
      eventsAtGateway('GET /v1/events > answers a page of events as they are delivered'),
    ],
    [
      'feed.cursor.empty-page',
      '`nextCursor` is set also on an empty page.',
      eventsAtGateway('GET /v1/events > an empty page has the cursor that was sent'),
    ],
    ['feed.wait.0', '`wait=0` is a 400.', refused('wait=0')],
    ['feed.wait.1', '`wait=1` is accepted.', passedOn('?wait=1')],
    ['feed.wait.30', '`wait=30` is accepted.', passedOn('?wait=30')],
    ['feed.wait.31', '`wait=31` is a 400.', refused('wait=31')],
    [
      'feed.wait.answers',
      'A waiting request is answered as soon as there is something.',
      eventFeed('a call that waits is answered as soon as there is something, whichever replica wrote it'),
      wholeFeed('a poll that waits is answered within a second of what it waits for, and sees nothing of others'),
    ],
    [
      'feed.wait.ends',
      'A waiting request is answered with an empty page when the time is over.',
      eventFeed('a call that waits in vain is answered with an empty page when its time is over'),
    ],
    ['feed.wait.asc', 'With `wait` the default of `dir` is `asc`.', passedOn('?wait=1')],
    ['feed.wait.desc', '`dir=desc` with `wait` is a 400.', refused('wait=1&dir=desc')],
  ]),
]
