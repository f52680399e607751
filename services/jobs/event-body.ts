/**
 * SQL of the body of an event, as listed and delivered, with the whole job right after the change. The statement that changes the row also
 * builds the body, which saves a read and makes both consistent.
 *
 * `data` equals the JSON of the API (`resources/print-job-to-json.ts`), which a test compares in every state. Contains no document, URL or
 * credentials.
 */
import { jsonObject, jsonPlainText, jsonText, jsonTimestamp, jsonValue } from '@platen/runtime/event-log/json-sql.ts'
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
    data: jsonObject({
      id: jsonPlainText(`${job}.id`),
      number: jsonValue(`${job}.number`),
      printerId: jsonPlainText(`${job}.printer_id`),
      computerId: jsonPlainText(`${job}.computer_id`),
      title: jsonText(`${job}.title`),
      contentType: jsonPlainText(`${job}.content_type`),
      source: jsonText(`${job}.source`),
      qty: jsonValue(`${job}.qty`),
      options: jsonValue(`${job}.options`),
      reprintOf: jsonValue(`${job}.reprint_of`),
      retain: jsonValue(`${job}.retain`),
      expireAfter: jsonValue(`${job}.expire_after_seconds`),
      expiresAt: jsonTimestamp(`${job}.expires_at`),
      // That of an image that is not converted is no size of a document.
      fileSize: jsonValue(`CASE WHEN ${job}.file_sha256 IS NOT NULL THEN ${job}.file_size_bytes END`),
      fileSha256: jsonText(`${job}.file_sha256`),
      mode: jsonPlainText(`${job}.mode`),
      state: jsonPlainText(`${job}.state`),
      stateMessage: jsonText(shownMessage(job)),
      stateReasons: jsonValue(shownReasons(job)),
      createdAt: jsonTimestamp(`${job}.created_at`),
      sentAt: jsonTimestamp(`${job}.sent_at`),
      receivedAt: jsonTimestamp(`${job}.received_at`),
      printingAt: jsonTimestamp(`${job}.printing_at`),
      finishedAt: jsonTimestamp(`${job}.finished_at`),
    }),
  })
