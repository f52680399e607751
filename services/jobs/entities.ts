/** Entities for rare statements. Hot statements use SQL: `create-jobs.ts`, `change-state.ts`. */

import type { JsonObject } from '@bufbuild/protobuf'
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { JobState } from '@platen/resources/job-states.ts'
import type { Actor } from './states.ts'

export const JobEntity = defineEntity({
  name: 'Job',
  tableName: 'job',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    mode: p.text(),
    printerId: p.uuid(),
    computerId: p.uuid(),
    title: p.text(),
    contentType: p.text(),
    source: p.text(),
    qty: p.integer(),
    options: p.json<JsonObject>(),
    metadata: p.json<Record<string, string>>(),
    /** The destination to which it was sent. Until a printer takes it, printer and computer are planned. */
    destinationId: p.uuid().nullable(),
    /** The same while it waits for a printer. */
    waitingDestinationId: p.uuid().nullable(),
    /** The options of the request, of a job of a destination: they are resolved again for the printer that takes it. */
    requestedOptions: p.json<JsonObject>().nullable(),
    /** `PassedPrinter[]` as JSON: the earlier printers of the destination that did not get the job. */
    passedPrinters: p.json<JsonObject[]>().nullable(),
    /** The options of the agent if they differ from `options`. */
    effectiveOptions: p.json<JsonObject>().nullable(),
    /** About ignored options: `shown-state.ts`. */
    optionWarning: p.text().nullable(),
    expireAfterSeconds: p.integer(),
    expiresAt: p.datetime(),
    /** The time before which it is not printed. Null: none. */
    notBefore: p.datetime().nullable(),
    /**
     * Null if the document is inline, not fetched yet (`fetching`) or missing. Of an image that is not converted yet
     * without SHA-256.
     */
    storageKey: p.text().nullable(),
    /** The document is stored in `jobs.document`. */
    hasInlineDocument: p.boolean(),
    fileSizeBytes: p.integer().nullable(),
    fileSha256: p.text().nullable(),
    reprintOf: p.uuid().nullable(),
    /** `key:<id>`, `user:<id>` or `print_access:<id>`; null if an earlier release created it. */
    createdBy: p.text().nullable(),
    /** `printnode` or `ipp`; null if the job was created by `/v1`. */
    interface: p.text().nullable(),
    /** The user that a computer names, without proof. */
    reportedUser: p.text().nullable(),
    /** The forms are those of `createdBy`; null if it was not cancelled or purged by a request. */
    cancelledBy: p.text().nullable(),
    /** False if the document is deleted at the end of the job. */
    retain: p.boolean(),
    /** The batch that it was created with. */
    batchId: p.uuid().nullable(),
    /** For people. Null for jobs that release 0.1.0 created. */
    number: p.integer().nullable(),
    state: p.text().$type<JobState>(),
    stateMessage: p.text().nullable(),
    stateReasons: p.array(),
    /** "printer", "spooler" or "nobody"; null until the job is done, and for jobs of earlier releases. */
    confirmedBy: p.text().nullable(),
    version: p.integer(),
    attempt: p.integer(),
    traceparent: p.text(),
    createdAt: p.datetime(),
    sentAt: p.datetime().nullable(),
    receivedAt: p.datetime().nullable(),
    printingAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
  },
})

/** The columns of `jobs.job` that a creation sets, with their types. The number is added by the statement. */
export const NEW_JOB_COLUMNS = {
  id: 'uuid',
  organization_id: 'uuid',
  mode: 'text',
  printer_id: 'uuid',
  computer_id: 'uuid',
  destination_id: 'uuid',
  requested_options: 'jsonb',
  title: 'text',
  content_type: 'text',
  source: 'text',
  qty: 'int',
  options: 'jsonb',
  metadata: 'jsonb',
  effective_options: 'jsonb',
  option_warning: 'text',
  expire_after_seconds: 'int',
  expires_at: 'timestamptz',
  not_before: 'timestamptz',
  state_reasons: 'text[]',
  retain: 'boolean',
  storage_key: 'text',
  file_size_bytes: 'int',
  file_sha256: 'text',
  reprint_of: 'uuid',
  created_by: 'text',
  interface: 'text',
  reported_user: 'text',
  traceparent: 'text',
  created_at: 'timestamptz',
} as const

/** A job of IPP whose document is awaited or has not arrived. Created by SQL: `rpc/create-submission.ts`. */
export const SubmissionEntity = defineEntity({
  name: 'Submission',
  tableName: 'ipp_submission',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    mode: p.text(),
    number: p.integer(),
    /** Null for one of a destination. */
    printerId: p.uuid().nullable(),
    destinationId: p.uuid().nullable(),
    createdBy: p.text(),
    title: p.text(),
    reportedUser: p.text().nullable(),
    options: p.json<JsonObject>(),
    createdAt: p.datetime(),
    /** The time at which it ends unless its document arrives. */
    expiresAt: p.datetime(),
    endedAt: p.datetime().nullable(),
    endReason: p.text().$type<'cancelled' | 'interrupted'>().nullable(),
  },
})

export const JobEventEntity = defineEntity({
  name: 'JobEvent',
  tableName: 'job_event',
  properties: {
    id: p.uuid().primary(),
    jobId: p.uuid(),
    sequence: p.integer(),
    state: p.text().$type<JobState>(),
    message: p.text().nullable(),
    actor: p.text().$type<Actor>(),
    createdAt: p.datetime(),
  },
})

/** A small document: `documents/inline-documents.ts`. */
export const DocumentEntity = defineEntity({
  name: 'Document',
  tableName: 'document',
  properties: {
    jobId: p.uuid().primary(),
    content: p.blob().$type<Buffer>(),
  },
})

/** A document that is fetched or converted: `fetches/lease-fetches.ts`. Its source is read by SQL. */
export const DocumentFetchEntity = defineEntity({
  name: 'DocumentFetch',
  tableName: 'document_fetch',
  properties: {
    jobId: p.uuid().primary(),
    attempt: p.integer(),
    leasedUntil: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
})

export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    organizationId: p.uuid().primary(),
    mode: p.text().primary(),
    key: p.text().primary(),
    bodyHash: p.blob().$type<Buffer>(),
    jobId: p.uuid(),
  },
})

/** The jobs that an organization has created in a day or month: `creation-limit.ts`. */
export const CreationCountEntity = defineEntity({
  name: 'CreationCount',
  tableName: 'creation_count',
  properties: {
    organizationId: p.uuid().primary(),
    mode: p.text().primary(),
    /** The first day: `2026-01-31`. */
    period: p.date().primary(),
    count: p.integer(),
  },
})

/** The epoch below which claims and acknowledgements of a computer are refused. Hellos raise it by SQL. */
export const ComputerFenceEntity = defineEntity({
  name: 'ComputerFence',
  tableName: 'computer_fence',
  properties: {
    computerId: p.uuid().primary(),
    epoch: p.bigint(),
    deleted: p.boolean(),
  },
})

/**
 * The revision below which claims of printers of a destination are refused. Changes of destinations raise it by SQL.
 */
export const DestinationFenceEntity = defineEntity({
  name: 'DestinationFence',
  tableName: 'destination_fence',
  properties: {
    destinationId: p.uuid().primary(),
    revision: p.bigint(),
    deleted: p.boolean(),
  },
})

/** A job that ended while its agent held it, until the agent has confirmed its removal. */
export const RemovalEntity = defineEntity({
  name: 'Removal',
  tableName: 'removal',
  properties: {
    jobId: p.uuid().primary(),
    computerId: p.uuid(),
    createdAt: p.datetime(),
  },
})

export const ENTITIES = [
  ...[JobEntity, JobEventEntity, DocumentEntity, DocumentFetchEntity],
  ...[IdempotencyKeyEntity, CreationCountEntity, ComputerFenceEntity, DestinationFenceEntity, RemovalEntity],
  SubmissionEntity,
]

export type Job = InferEntity<typeof JobEntity>

type Nullable<Row> = { [Name in keyof Row]: null extends Row[Name] ? Name : never }[keyof Row]
/** What can be null may be missing. */
export type MayLack<Row> = Omit<Row, Nullable<Row>> & { [Name in Nullable<Row>]?: Row[Name] | undefined }
export type JobEvent = InferEntity<typeof JobEventEntity>
