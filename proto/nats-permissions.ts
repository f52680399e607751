/**
 * What the user of each service may do in NATS. The only place: `npm start`, the compose file, the chart's example and
 * the documentation take it from here (`deploy/nats-users.ts`). Reference: docs/operations/nats-permissions.md.
 */
import {
  DEVICES_SUBJECTS,
  EVENTS_STREAM,
  eventLogSubject,
  eventsSubject,
  FEEDS_SUBJECT,
  GATEWAYS_SUBJECT,
  gatewayRateSubject,
  PRINTERS_CHANGED_SUBJECT,
  TEST_COMPUTER_SUBJECT,
  toInboxPrefix,
  WAITING_JOBS_SUBJECT,
  WEBHOOK_ATTEMPTS_STREAM,
  WEBHOOK_ATTEMPTS_SUBJECT,
} from './subjects.ts'

export interface NatsPermissions {
  publish: string[]
  subscribe: string[]
  /** May answer a request that it has received, once. */
  answers: boolean
}

/** Creates the stream and raises its replicas. Nothing may delete it. */
const editStream = (name: string) => ['INFO', 'CREATE', 'UPDATE'].map((call) => `$JS.API.STREAM.${call}.${name}`)

const consume = (stream: string, consumer: string) => [
  ...['CREATE', 'INFO', 'MSG.NEXT'].map((call) => `$JS.API.CONSUMER.${call}.${stream}.${consumer}`),
  `$JS.ACK.${stream}.${consumer}.>`,
]

const publishEvents = (log: string) => [
  ...editStream(EVENTS_STREAM.name),
  eventsSubject(log),
  // To the other replicas.
  eventLogSubject(log),
]

/** Writes, reads and deletes documents. */
const storeDocuments = (bucket: string) => [
  '$JS.API.INFO',
  ...editStream(`OBJ_${bucket}`),
  `$JS.API.STREAM.MSG.GET.OBJ_${bucket}`,
  `$JS.API.STREAM.PURGE.OBJ_${bucket}`,
  `$O.${bucket}.>`,
]

interface Row extends Omit<NatsPermissions, 'answers'> {
  answers?: boolean
  documents?: boolean
}

const TABLE = {
  gateway: {
    publish: [GATEWAYS_SUBJECT, gatewayRateSubject('*')],
    subscribe: [GATEWAYS_SUBJECT, gatewayRateSubject('*'), PRINTERS_CHANGED_SUBJECT],
    answers: true,
    documents: true,
  },
  jobs: {
    publish: [WAITING_JOBS_SUBJECT, ...publishEvents('jobs')],
    subscribe: [eventLogSubject('jobs')],
    documents: true,
  },
  devices: {
    publish: [
      DEVICES_SUBJECTS,
      WAITING_JOBS_SUBJECT,
      PRINTERS_CHANGED_SUBJECT,
      TEST_COMPUTER_SUBJECT,
      ...publishEvents('devices'),
    ],
    subscribe: [DEVICES_SUBJECTS, WAITING_JOBS_SUBJECT, PRINTERS_CHANGED_SUBJECT, eventLogSubject('devices')],
    answers: true,
    documents: true,
  },
  webhooks: {
    publish: [
      FEEDS_SUBJECT,
      WEBHOOK_ATTEMPTS_SUBJECT,
      ...editStream(EVENTS_STREAM.name),
      ...consume(EVENTS_STREAM.name, 'webhooks'),
      ...editStream(WEBHOOK_ATTEMPTS_STREAM.name),
      ...consume(WEBHOOK_ATTEMPTS_STREAM.name, 'webhook-attempts'),
    ],
    subscribe: [FEEDS_SUBJECT],
  },
  'test-computers': { publish: [], subscribe: [TEST_COMPUTER_SUBJECT], answers: true },
} satisfies Record<string, Row>

/** A service with a connection to NATS. */
export type NatsService = keyof typeof TABLE

export const NATS_SERVICES = Object.keys(TABLE) as NatsService[]

/** @param bucket of documents, if they are stored in NATS. */
export function getNatsPermissions(service: NatsService, bucket?: string): NatsPermissions {
  const { publish, subscribe, answers = false, documents = false }: Row = TABLE[service]
  return {
    publish: [...publish, ...(documents && bucket !== undefined ? storeDocuments(bucket) : [])],
    subscribe: [...subscribe, `${toInboxPrefix(service)}.>`],
    answers,
  }
}
