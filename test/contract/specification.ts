/**
 * What the specification and the decisions enumerate, copied by hand, since neither is in this repository. For every item there
 * must be an entry with the id that `enumeratedIds` makes of it.
 */

export type Source = `specification: ${SpecificationSection}` | `decisions: ${DecisionsSection}`

type SpecificationSection =
  | 'What the service does'
  | 'Resources and their fields'
  | 'Printer'
  | 'Computer'
  | 'Print job'
  | 'Print job event'
  | 'Webhook endpoint'
  | 'Print options'
  | 'Error envelope'
  | 'Print job states'
  | 'Endpoints'
  | 'Pagination'
  | 'Printers'
  | 'Computers'
  | 'Print jobs'
  | 'Webhooks'
  | 'Other endpoints'
  | 'Authentication'
  | 'Job events'
  | 'Webhook event types'
  | 'Delivery'
  | 'Errors'
  | 'Limits'
  | 'Versioning'

type DecisionsSection =
  | 'Conventions everywhere'
  | 'Identity and limits'
  | 'Jobs'
  | 'Option values'
  | 'Computers and printers'
  | 'Webhooks and events'

const ENDPOINTS = [
  'GET /docs',
  'GET /v1/openapi.json',
  'GET /v1/whoami',
  'GET /v1/usage',
  'GET /v1/printers',
  'GET /v1/printers/{id}',
  'PATCH /v1/printers/{id}',
  'GET /v1/printers/{id}/printjobs',
  'GET /v1/computers',
  'GET /v1/computers/{id}',
  'DELETE /v1/computers/{id}',
  'GET /v1/computers/{id}/printers',
  'POST /v1/enrollments',
  'POST /v1/agents/enroll',
  'POST /v1/printjobs',
  'GET /v1/printjobs',
  'GET /v1/printjobs/{id}',
  'POST /v1/printjobs/{id}/cancel',
  'GET /v1/printjobs/{id}/events',
  'POST /v1/webhooks',
  'GET /v1/webhooks',
  'GET /v1/webhooks/{id}',
  'PATCH /v1/webhooks/{id}',
  'DELETE /v1/webhooks/{id}',
  'POST /v1/webhooks/{id}/rotate-secret',
  'POST /v1/webhooks/{id}/test',
  'POST /v1/webhooks/{id}/replay',
  'GET /v1/webhooks/{id}/deliveries',
  'GET /v1/webhooks/{id}/deliveries/{deliveryId}',
  'POST /v1/webhooks/{id}/deliveries/{deliveryId}/replay',
  'GET /v1/events',
  'GET /v1/events/{id}',
]

const ERROR_CODES = [
  '400.invalid_request',
  '401.unauthorized',
  '402.quota_exceeded',
  '403.insufficient_scope',
  '403.forbidden',
  '404.not_found',
  '405.method_not_allowed',
  '409.idempotency_in_progress',
  '409.not_cancellable',
  '409.endpoint_disabled',
  '409.limit_reached',
  '410.file_expired',
  '413.content_too_large',
  '415.unsupported_media_type',
  '422.invalid_content',
  '422.invalid_content_url',
  '422.printer_disabled',
  '422.mode_mismatch',
  '422.idempotency_key_reused',
  '422.invalid_url',
  '429.rate_limited',
  '429.test_mode_daily_cap',
  '503.storage_unavailable',
]

const EVENT_TYPES = [
  'printjob.queued',
  'printjob.sent',
  'printjob.received',
  'printjob.printing',
  'printjob.done',
  'printjob.error',
  'printjob.cancelled',
  'printjob.expired',
  'computer.online',
  'computer.offline',
  'printer.added',
  'printer.removed',
  'printer.online',
  'printer.offline',
  'printer.updated',
]

/** From, trigger, to. */
const EDGES = [
  'none.create.queued',
  'queued.push.sent',
  'sent.resend.sent',
  'sent.give-back.queued',
  'sent.acknowledge.received',
  'received.print.printing',
  'printing.complete.done',
  'printing.time-out.error',
  'queued.fetch-failure.error',
  'queued.fail.error',
  'sent.fail.error',
  'received.fail.error',
  'printing.fail.error',
  'queued.cancel.cancelled',
  'sent.cancel.cancelled',
  'queued.expire.expired',
  'sent.expire.expired',
]

const STATE_REASONS = [
  'fetch-failed',
  'fetch-timeout',
  'content-too-large',
  'spooler-timeout',
  'unconfirmed',
  'media-empty',
  'cover-open',
  'printer-stopped',
  'job-aborted-by-system',
  'option-ignored',
  'computer-deleted',
]

const words = (text: string) => text.trim().split(/\s+/)

/** What an entry's id begins with, and the fields that go behind it. */
const FIELDS: Record<string, string[]> = {
  printer:
    words(`id computerId name osName description displayName remarks enabled isDefault state stateDetail stateReasons
    capabilities defaultOptions customPapers createdAt updatedAt`),
  capabilities: words(
    'papers bins dpis medias extent printrate duplex color collate copies nup supports_custom_paper_size',
  ),
  'custom-paper': words('name width height'),
  computer: words('id name hostname os osVersion arch agentVersion state mode lastSeenAt createdAt'),
  enrollment: words('id token expiresAt maxUses'),
  'print-job':
    words(`id printerId computerId title contentType source qty options expireAfter expiresAt fileSize fileSha256
    mode state stateMessage stateReasons createdAt sentAt receivedAt printingAt finishedAt`),
  'print-job-event': words('id state message actor createdAt'),
  create: words('printerId title contentType content source qty expireAfter options authentication reprintOf'),
  content: words('pdf_uri pdf_base64 raw_uri raw_base64'),
  'print-jobs.filter': words('state printerId computerId source createdAfter createdBefore'),
  option: words('bin copies duplex paper pages rotate fit_to_page color dpi media collate nup'),
  webhook: words('id url events description enabled disabledReason failingSince mode createdAt secret'),
  delivery:
    words(`id webhookId eventId eventType status attempts nextAttemptAt lastStatusCode lastError createdAt deliveredAt
    payload attemptLog`),
  attempt: words('number trigger at durationMs statusCode errorClass response'),
  'attempt.errorClass': words('timeout dns connect tls blocked_address redirect status'),
  payload: words('id type timestamp mode sequence data'),
  whoami:
    words(`organization.id organization.name mode apiKey.id apiKey.name apiKey.prefix apiKey.scopes apiKey.createdAt
    user.id user.email user.role`),
  usage: words(`period.start period.end prints.used prints.limit computers.used computers.limit plan testJobsToday.used
    testJobsToday.limit testJobsToday.resetsAt`),
  envelope: words('code message request_id upgrade_url'),
  'rate-limit.header': words('Retry-After RateLimit-Limit RateLimit-Remaining RateLimit-Reset'),
  'webhook-header': words('webhook-id webhook-timestamp webhook-signature'),
}

export function enumeratedIds(): string[] {
  const prefixed = (prefix: string, names: string[]) => names.map((name) => `${prefix}.${name}`)
  return [
    ...prefixed('endpoint', ENDPOINTS),
    ...prefixed('error', ERROR_CODES),
    ...prefixed('event', EVENT_TYPES),
    ...prefixed('edge', EDGES),
    ...prefixed('state-reason', STATE_REASONS),
    ...Object.entries(FIELDS).flatMap(([prefix, names]) => prefixed(prefix, names)),
  ]
}
