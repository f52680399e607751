import { createCommitSeq } from '@platen/runtime/database/commit-seq.ts'
import { createPartitionedTable } from '@platen/runtime/database/partitions.ts'
import { createCursors } from '@platen/runtime/event-log/follow.ts'

export const CREATE_WEBHOOKS = [
  ...createCommitSeq('webhooks'),

  // `concurrency` limits the leased deliveries. Its range: `delivery/concurrency.ts`.
  `CREATE TABLE webhooks.endpoint (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    mode text NOT NULL CHECK (mode IN ('live', 'test')),
    url text NOT NULL,
    events text[] NOT NULL CHECK (events <> '{}'),
    description text,
    enabled boolean NOT NULL DEFAULT true,
    disabled_reason text CHECK (disabled_reason IN ('user', 'failures')),
    failing_since timestamptz,
    concurrency int NOT NULL DEFAULT 32,
    created_at timestamptz NOT NULL,
    commit_seq bigint NOT NULL DEFAULT webhooks.to_commit_seq(pg_current_xact_id())
  )`,
  `CREATE INDEX endpoint_page ON webhooks.endpoint (organization_id, mode, commit_seq, id)`,
  // For the sweeps, which read only these endpoints.
  `CREATE INDEX endpoint_failing ON webhooks.endpoint (failing_since) WHERE failing_since IS NOT NULL`,
  `CREATE INDEX endpoint_disabled ON webhooks.endpoint (id) WHERE NOT enabled`,

  // The current secret has no `expires_at`. The others sign until they expire.
  `CREATE TABLE webhooks.secret (
    id uuid PRIMARY KEY,
    endpoint_id uuid NOT NULL REFERENCES webhooks.endpoint ON DELETE CASCADE,
    encrypted bytea NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz
  )`,
  `CREATE INDEX secret_of_endpoint ON webhooks.secret (endpoint_id)`,
  `CREATE UNIQUE INDEX secret_present ON webhooks.secret (endpoint_id) WHERE expires_at IS NULL`,
  `CREATE INDEX secret_ending ON webhooks.secret (expires_at) WHERE expires_at IS NOT NULL`,

  // The newest alert to the owners of an endpoint, which replaces the previous one. `due_at` is null when it needs no
  // further try; `notified` are the users to whom it was sent.
  `CREATE TABLE webhooks.failure_alert (
    endpoint_id uuid PRIMARY KEY REFERENCES webhooks.endpoint ON DELETE CASCADE,
    id uuid NOT NULL,
    severity text NOT NULL CHECK (severity IN ('1 hour', '1 day', '4 days', 'disabled')),
    failing_since timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    due_at timestamptz,
    tries int NOT NULL DEFAULT 0,
    notified uuid[] NOT NULL DEFAULT '{}'
  )`,
  `CREATE INDEX failure_alert_due ON webhooks.failure_alert (due_at) WHERE due_at IS NOT NULL`,

  // The body is text, so that all attempts have the same bytes.
  ...createPartitionedTable(
    'webhooks',
    'event',
    `id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    type text NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL,
    commit_seq bigint NOT NULL DEFAULT webhooks.to_commit_seq(pg_current_xact_id())`,
    'id',
  ),
  `CREATE INDEX event_page ON webhooks.event (organization_id, mode, commit_seq, id)`,
  // Without it, a page of a rare type reads all other events. Costs about 1 µs per event, a thirtieth of its recording.
  `CREATE INDEX event_of_type ON webhooks.event (organization_id, mode, type, commit_seq, id)`,

  // The API shows `next_attempt_at`. At `due_at` the attempt is published, or published again because it has no
  // outcome. `retries` counts the attempts since the schedule began. A replay restarts the schedule. `publications` is
  // the fence of an attempt.
  ...createPartitionedTable(
    'webhooks',
    'delivery',
    `id uuid PRIMARY KEY,
    endpoint_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'missed')),
    trigger text NOT NULL DEFAULT 'scheduled' CHECK (trigger IN ('scheduled', 'replay', 'test')),
    attempts int NOT NULL DEFAULT 0,
    retries int NOT NULL DEFAULT 0,
    publications int NOT NULL DEFAULT 0,
    next_attempt_at timestamptz,
    due_at timestamptz,
    last_status_code int,
    last_error text,
    example text,
    created_at timestamptz NOT NULL,
    delivered_at timestamptz,
    commit_seq bigint NOT NULL DEFAULT webhooks.to_commit_seq(pg_current_xact_id())`,
    'id',
  ),
  // Includes the columns of the filters, so that a list reads no rows of other deliveries.
  `CREATE INDEX delivery_page ON webhooks.delivery (endpoint_id, commit_seq, id)
    INCLUDE (status, event_type, created_at)`,
  // Due and leased deliveries of each endpoint.
  `CREATE INDEX delivery_pending ON webhooks.delivery (endpoint_id, due_at) WHERE status = 'pending'`,
  // Only a leased delivery has a `due_at` after its `next_attempt_at`.
  `CREATE INDEX delivery_leased ON webhooks.delivery (endpoint_id, due_at)
    WHERE status = 'pending' AND due_at > next_attempt_at`,

  ...createPartitionedTable(
    'webhooks',
    'attempt',
    `delivery_id uuid NOT NULL,
    number int NOT NULL,
    trigger text NOT NULL,
    at timestamptz NOT NULL,
    duration_ms int NOT NULL,
    status_code int,
    error_class text,
    response text,
    PRIMARY KEY (delivery_id, number)`,
    'delivery_id',
  ),

  createCursors('webhooks'),
]
