/**
 * Parameters beside the body. Their schemas say what the text of a query means (`limit` is an integer); that they agree with the
 * gateway's own schemas is tested. Source: specification, "Pagination"; decisions, "Jobs".
 */
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from '@platen/runtime/paging.ts'
import { JOB_STATE } from '../json/print-job-schema.ts'
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

/** The id in the path of an operation. @param what it is the id of: "printer". */
export function pathParameter(what: string) {
  return { name: 'id', in: 'path', required: true, description: `The id of the ${what}.`, schema: uuid }
}
