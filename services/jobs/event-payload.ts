/**
 * SQL of what the outbox says of a change: `platen.events.v1.JobChanged` as JSON, with the whole job as it is right after it. Built where
 * the row is at hand, in the statement that changes it, so that it costs no read and cannot be of another moment.
 *
 * Its `job` is what `job-to-proto.ts` makes of the row, which a test compares at every state. Nothing of document, URL or credentials.
 */

interface Names {
  /** The row of the job. */
  job: string
  eventId: string
  occurredAt: string
}

export const eventPayload = ({ job, eventId, occurredAt }: Names) => `jsonb_build_object(
  'eventId', ${eventId}, 'jobId', ${job}.id, 'organizationId', ${job}.organization_id, 'mode', ${job}.mode,
  'computerId', ${job}.computer_id, 'printerId', ${job}.printer_id, 'state', ${job}.state, 'sequence', ${job}.version,
  'jobCreatedAt', ${job}.created_at, 'occurredAt', ${occurredAt}, 'job', jsonb_build_object(
    'id', ${job}.id, 'organizationId', ${job}.organization_id, 'mode', ${job}.mode,
    'printerId', ${job}.printer_id, 'computerId', ${job}.computer_id,
    'title', ${job}.title, 'contentType', ${job}.content_type, 'source', ${job}.source, 'qty', ${job}.qty, 'options', ${job}.options,
    'expireAfterSeconds', ${job}.expire_after_seconds, 'expiresAt', ${job}.expires_at,
    'fileSizeBytes', ${job}.file_size_bytes, 'fileSha256', ${job}.file_sha256,
    'state', ${job}.state,
    'stateMessage', CASE WHEN ${job}.option_warning IS NULL THEN ${job}.state_message
      ELSE concat_ws(' ', ${job}.state_message, ${job}.option_warning) END,
    'stateReasons', CASE WHEN ${job}.option_warning IS NULL OR 'option-ignored' = ANY(${job}.state_reasons) THEN ${job}.state_reasons
      ELSE ${job}.state_reasons || 'option-ignored'::text END,
    'createdAt', ${job}.created_at, 'sentAt', ${job}.sent_at, 'receivedAt', ${job}.received_at,
    'printingAt', ${job}.printing_at, 'finishedAt', ${job}.finished_at))`
