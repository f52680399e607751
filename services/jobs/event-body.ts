/**
 * SQL of the body of an event, as listed and delivered, with the whole job right after the change. The statement that changes the row also
 * builds the body, which saves a read and makes both consistent.
 *
 * `data` equals the JSON of the API (`resources/print-job-to-json.ts`), which a test compares in every state. Contains no document, URL or
 * credentials.
 */
import { jsonObject, jsonText, jsonTimestamp, jsonValue, jsonWord } from '@platen/runtime/event-log/json-sql.ts'

interface Names {
  /** Row of the job. */
  job: string
  eventId: string
  occurredAt: string
}

export const eventBody = ({ job, eventId, occurredAt }: Names) =>
  jsonObject({
    id: jsonWord(eventId),
    type: jsonWord(`'printjob.' || ${job}.state`),
    timestamp: jsonTimestamp(occurredAt),
    mode: jsonWord(`${job}.mode`),
    sequence: jsonValue(`${job}.version`),
    data: jsonObject({
      id: jsonWord(`${job}.id`),
      printerId: jsonWord(`${job}.printer_id`),
      computerId: jsonWord(`${job}.computer_id`),
      title: jsonText(`${job}.title`),
      contentType: jsonWord(`${job}.content_type`),
      source: jsonText(`${job}.source`),
      qty: jsonValue(`${job}.qty`),
      options: jsonValue(`${job}.options`),
      expireAfter: jsonValue(`${job}.expire_after_seconds`),
      expiresAt: jsonTimestamp(`${job}.expires_at`),
      fileSize: jsonValue(`${job}.file_size_bytes`),
      fileSha256: jsonText(`${job}.file_sha256`),
      mode: jsonWord(`${job}.mode`),
      state: jsonWord(`${job}.state`),
      stateMessage: jsonText(`CASE WHEN ${job}.option_warning IS NULL THEN ${job}.state_message
        ELSE concat_ws(' ', ${job}.state_message, ${job}.option_warning) END`),
      stateReasons: jsonValue(`CASE WHEN ${job}.option_warning IS NULL OR 'option-ignored' = ANY(${job}.state_reasons)
        THEN ${job}.state_reasons ELSE ${job}.state_reasons || 'option-ignored'::text END`),
      createdAt: jsonTimestamp(`${job}.created_at`),
      sentAt: jsonTimestamp(`${job}.sent_at`),
      receivedAt: jsonTimestamp(`${job}.received_at`),
      printingAt: jsonTimestamp(`${job}.printing_at`),
      finishedAt: jsonTimestamp(`${job}.finished_at`),
    }),
  })
