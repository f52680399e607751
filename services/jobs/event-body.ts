/**
 * SQL of the body of an event, as listed and delivered, with the whole job right after the change. The statement that
 * changes the row also builds the body, which saves a read and makes both consistent.
 *
 * `data` equals the JSON of the API (`resources/print-job-schema.ts`), which a test compares in every state. Contains
 * no document, URL or credentials.
 */
import { JOB } from '@platen/resources/print-job-schema.ts'
import { jsonObject, jsonPlainText, jsonTimestamp, jsonValue } from '@platen/runtime/event-log/json-sql.ts'
import { resourceSql } from '@platen/runtime/event-log/resource-sql.ts'
import { shownMessage, shownReasons } from './shown-state.ts'

interface Names {
  /** Row of the job. */
  job: string
  eventId: string
  occurredAt: string
}

export const eventBody = ({ job, eventId, occurredAt }: Names) =>
  jsonObject({
    id: jsonPlainText(eventId),
    type: jsonPlainText(`'printjob.' || ${job}.state`),
    timestamp: jsonTimestamp(occurredAt),
    mode: jsonPlainText(`${job}.mode`),
    sequence: jsonValue(`${job}.version`),
    data: resourceSql(JOB, job, {
      expireAfter: `${job}.expire_after_seconds`,
      // The size of an image that is not converted is no size of a document.
      fileSize: `CASE WHEN ${job}.file_sha256 IS NOT NULL THEN ${job}.file_size_bytes END`,
      stateMessage: shownMessage(job),
      stateReasons: shownReasons(job),
    }),
  })
