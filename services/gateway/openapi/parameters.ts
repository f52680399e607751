/**
 * Parameters beside the body. Their schemas say what the text of a query means (`limit` is an integer); that they agree with the
 * gateway's own schemas is tested. Source: specification, "Pagination"; decisions, "Jobs".
 */

import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { JOB_STATE } from '@platen/resources/print-job-schema.ts'
import { DELIVERY_STATUS } from '@platen/resources/webhook-delivery-schema.ts'
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '@platen/runtime/paging.ts'
import { TYPE_FILTERS, WAIT_MAX_SECONDS } from '../routes/list-events.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'

const { enum: jobStates } = toJsonSchema(JOB_STATE)
const uuid = { type: 'string', format: 'uuid' }
const time = { type: 'string', format: 'date-time' }

function query(name: string, description: string, schema: JsonSchema) {
  return { name, in: 'query', description, schema }
}

export const PARAMETERS = {
  limit: query('limit', 'How many a page may have.', {
    type: 'integer',
    minimum: 1,
    maximum: PAGE_LIMIT_MAX,
    default: PAGE_LIMIT_DEFAULT,
  }),
  after: query('after', 'Goes on behind an earlier page: its `nextCursor`.', { type: 'string' }),
  dir: query('dir', '`desc` begins with the newest, `asc` with the oldest, which suits polling.', {
    type: 'string',
    enum: ['asc', 'desc'],
    default: 'desc',
  }),
  state: {
    ...query('state', 'Only jobs in this state. May be given several times, for any of them.', {
      type: 'array',
      items: { type: 'string', enum: jobStates },
    }),
    style: 'form',
    explode: true,
  },
  deliveryStatus: {
    ...query('status', 'Only deliveries in this status. May be given several times, for any of them.', {
      type: 'array',
      items: { type: 'string', enum: [...DELIVERY_STATUS.options] },
    }),
    style: 'form',
    explode: true,
  },
  deliveryType: {
    ...query('type', 'Only deliveries of events of this type. May be given several times, for any of them.', {
      type: 'array',
      items: { type: 'string', enum: [...EVENT_TYPES] },
    }),
    style: 'form',
    explode: true,
  },
  type: {
    ...query(
      'type',
      'Only events of this type; `printjob.*` is all of print jobs. May be given several times, for any of them.',
      {
        type: 'array',
        items: { type: 'string', enum: TYPE_FILTERS },
      },
    ),
    style: 'form',
    explode: true,
  },
  wait: query(
    'wait',
    'With nothing to show, how many seconds to wait for something before an empty page is the answer. Then `dir` is `asc`, and `desc` is a 400.',
    { type: 'integer', minimum: 1, maximum: WAIT_MAX_SECONDS },
  ),
  printerId: query('printerId', 'Only jobs for this printer.', uuid),
  computerId: query('computerId', 'Only jobs for printers of this computer.', uuid),
  source: query('source', 'Only jobs with exactly this `source`.', { type: 'string', minLength: 1, maxLength: 255 }),
  createdAfter: query('createdAfter', 'Only jobs that were accepted at this moment or later.', time),
  createdBefore: query('createdBefore', 'Only jobs that were accepted before this moment.', time),
} as const

export type ParameterName = keyof typeof PARAMETERS

export const PAGE = ['limit', 'after', 'dir'] as const

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes it safe to send the request again: the same key with the same body returns the first job and creates nothing. It is kept for 24 hours, by organization and mode. A new intent, such as a reprint, needs a new key.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'order-1042-invoice',
}

/** An id in the path of an operation. @param what it is the id of: "printer". */
export function pathParameter(what: string, name = 'id') {
  return { name, in: 'path', required: true, description: `The id of the ${what}.`, schema: uuid }
}
