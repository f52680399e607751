import { continueByProcess } from '@platen/runtime/database/commit-seq.ts'
import type { Migration } from '@platen/runtime/database/migrate.ts'
import { EVENT_RESOURCE } from '../events/event-resource.ts'

/**
 * `last_status_code` and `last_error` are the outcome of the last attempt, as the organization sees it, and null after
 * a success. `send_interval_ms` is the rate of an endpoint that throttles (`delivery/throttle.ts`), and null if its
 * rate is not limited. `gaps` are the times without deliveries (`gaps.ts`). An endpoint that release 0.1.0 has disabled
 * has no `disabled_at`.
 */
const CHANGE_ENDPOINTS = [
  `ALTER TABLE webhooks.endpoint
    ADD COLUMN last_status_code int,
    ADD COLUMN last_error text,
    ADD COLUMN send_interval_ms float8,
    ADD COLUMN send_after timestamptz,
    ADD COLUMN throttled_at timestamptz,
    ADD COLUMN disabled_at timestamptz,
    ADD COLUMN gaps tstzmultirange NOT NULL DEFAULT '{}'`,
]

/**
 * `throttled_since` is the first throttled attempt since the last other one. `scheduled_at` is the next attempt by the
 * schedule of a delivery that is attempted before. `traceparent` is that of the event's cause by W3C, from the event
 * log, and null without a trace, which takes no space.
 */
const CHANGE_DELIVERIES = [
  'ALTER TABLE webhooks.delivery ADD COLUMN throttled_since timestamptz, ADD COLUMN scheduled_at timestamptz',
]
const CHANGE_EVENTS = ['ALTER TABLE webhooks.event ADD COLUMN traceparent text']

/** The deliveries of the events of a job. */
const INDEX_DELIVERIES = ['CREATE INDEX delivery_of_event ON webhooks.delivery (event_id)']

/** The events of a job or printer, which would be found by reading all events of the organization only. */
const INDEX_EVENTS = [
  `CREATE INDEX event_of_resource ON webhooks.event (organization_id, mode, (${EVENT_RESOURCE}), commit_seq, id)`,
]

const CREATE_ALERTS = [
  // Without a computer and a printer a rule covers all devices of the organization and mode. Problems that began before
  // `problems_since` are not reported.
  `CREATE TABLE webhooks.alert_rule (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    mode text NOT NULL CHECK (mode IN ('live', 'test')),
    user_id uuid NOT NULL,
    kind text NOT NULL,
    computer_id uuid,
    printer_id uuid CHECK (printer_id IS NULL OR computer_id IS NULL),
    after_minutes int NOT NULL CHECK (after_minutes >= 0),
    problems_since timestamptz,
    created_at timestamptz NOT NULL,
    UNIQUE NULLS NOT DISTINCT (organization_id, mode, user_id, kind, computer_id, printer_id)
  )`,
  // The members who have had rules. Others get the default rules of their role.
  `CREATE TABLE webhooks.alert_member (
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    PRIMARY KEY (organization_id, user_id)
  )`,
  // A problem of a device, for one member. `due_at` is the time of its next mail: about the problem while `notified_at`
  // is null, then about its end. Null: none is due.
  `CREATE TABLE webhooks.incident (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    resource_id uuid NOT NULL,
    computer_id uuid NOT NULL,
    job_id uuid,
    facts jsonb NOT NULL,
    since timestamptz NOT NULL,
    due_at timestamptz,
    notified_at timestamptz,
    solved_at timestamptz,
    UNIQUE (organization_id, mode, user_id, kind, resource_id)
  )`,
  `CREATE INDEX incident_due ON webhooks.incident (due_at) WHERE due_at IS NOT NULL`,
  // A sent mail has no text and no `due_at`. It stays for the limits of an hour.
  `CREATE TABLE webhooks.alert_mail (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    subject text NOT NULL,
    text text NOT NULL,
    created_at timestamptz NOT NULL,
    due_at timestamptz,
    tries int NOT NULL DEFAULT 0
  )`,
  `CREATE INDEX alert_mail_of_organization ON webhooks.alert_mail (organization_id, created_at)`,
  `CREATE INDEX alert_mail_due ON webhooks.alert_mail (due_at) WHERE due_at IS NOT NULL`,
  // The events of jobs that were evaluated. `number` counts the evaluations, so that of two concurrent ones only the
  // first has an effect.
  `CREATE TABLE webhooks.alert_position (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    number bigint NOT NULL DEFAULT 0,
    commit_seq bigint NOT NULL DEFAULT webhooks.to_commit_seq(pg_current_xact_id()),
    event_id uuid NOT NULL DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  )`,
  'INSERT INTO webhooks.alert_position DEFAULT VALUES',
]

/** Each index is a migration, so that no reader waits while it is built. */
export const RELEASE_0_2: Migration[] = [
  { name: '0002-endpoints', statements: [...CHANGE_ENDPOINTS, ...continueByProcess('webhooks')] },
  { name: '0003-deliveries', statements: CHANGE_DELIVERIES },
  { name: '0004-events', statements: CHANGE_EVENTS },
  { name: '0005-deliveries-of-events', statements: INDEX_DELIVERIES },
  { name: '0006-events-of-resources', statements: INDEX_EVENTS },
  { name: '0007-device-alerts', statements: CREATE_ALERTS },
]
