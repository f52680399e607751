import { createCommitSeq } from '@platen/runtime/database/commit-seq.ts'
import { createPartitionedTable } from '@platen/runtime/database/partitions.ts'
import { createEventLog } from '@platen/runtime/event-log/table.ts'

export const CREATE_JOBS = [
  ...createCommitSeq('jobs'),

  // Indexes and their conditions contain no column that changes while a job is active, except `final_state`, which is
  // set once, and `fetching`. So 81 % of the changes are HOT updates, which write no index. Lists by state use
  // `final_state IS NULL` for unfinished jobs. A job without `storage_key` and inline document is `fetching`, or its
  // fetch failed.
  `CREATE TABLE jobs.job (
    id uuid PRIMARY KEY,
    accepted_order bigint GENERATED ALWAYS AS IDENTITY,
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    printer_id uuid NOT NULL,
    computer_id uuid NOT NULL,
    title text NOT NULL,
    content_type text NOT NULL,
    source text NOT NULL,
    qty int NOT NULL,
    options jsonb NOT NULL,
    effective_options jsonb,
    option_warning text,
    expire_after_seconds int NOT NULL,
    expires_at timestamptz NOT NULL,
    reprint_of uuid,
    fetching boolean NOT NULL DEFAULT false,
    has_inline_document boolean NOT NULL DEFAULT false,
    storage_key text,
    file_size_bytes int,
    file_sha256 text,
    state text NOT NULL,
    state_message text,
    state_reasons text[] NOT NULL DEFAULT '{}',
    final_state text,
    version int NOT NULL,
    attempt int NOT NULL DEFAULT 0,
    resend_count int NOT NULL DEFAULT 0,
    push_due boolean NOT NULL DEFAULT false,
    pushed_at timestamptz,
    traceparent text NOT NULL,
    created_at timestamptz NOT NULL,
    sent_at timestamptz,
    received_at timestamptz,
    printing_at timestamptz,
    finished_at timestamptz,
    commit_seq bigint NOT NULL DEFAULT jobs.to_commit_seq(pg_current_xact_id())
  ) WITH (fillfactor = 60)`,
  `CREATE INDEX job_active ON jobs.job (computer_id, accepted_order) WHERE final_state IS NULL`,
  `CREATE INDEX job_expiring ON jobs.job (expires_at) WHERE final_state IS NULL`,
  `CREATE INDEX job_fetching ON jobs.job (printer_id, accepted_order) WHERE fetching`,
  // Only reprints share a document. Finds whether the document of an old job is still in use.
  `CREATE INDEX job_sharing ON jobs.job (storage_key, created_at) WHERE reprint_of IS NOT NULL`,
  // One index for each filter of lists, because a selective filter would otherwise read all other jobs. Cost:
  // `docs/lists.md`.
  `CREATE INDEX job_page ON jobs.job (organization_id, mode, commit_seq, id)`,
  `CREATE INDEX job_page_state ON jobs.job (organization_id, mode, final_state, commit_seq, id)`,
  `CREATE INDEX job_page_source ON jobs.job (organization_id, mode, source, commit_seq, id)`,
  `CREATE INDEX job_page_printer ON jobs.job (printer_id, commit_seq, id)`,
  `CREATE INDEX job_page_computer ON jobs.job (computer_id, commit_seq, id)`,

  // No foreign key, because its check costs a fifth of PostgreSQL's work for a job (970 instead of 770 µs). The
  // statement that writes the job also inserts its events.
  `CREATE TABLE jobs.job_event (
    id uuid NOT NULL,
    job_id uuid NOT NULL,
    sequence int NOT NULL,
    state text NOT NULL,
    message text,
    actor text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (job_id, sequence)
  )`,

  // Small documents, partitioned by day. Not compressed by PostgreSQL, because they are small or already compressed.
  ...createPartitionedTable('jobs', 'document', 'job_id uuid PRIMARY KEY, content bytea NOT NULL', 'job_id'),
  `ALTER TABLE jobs.document ALTER COLUMN content SET STORAGE EXTERNAL`,

  // The encrypted source of each pending fetch. Deleted at its end.
  `CREATE TABLE jobs.document_fetch (
    job_id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    host_digest bytea NOT NULL,
    encrypted_source bytea NOT NULL,
    created_at timestamptz NOT NULL,
    attempt int NOT NULL DEFAULT 0,
    leased_until timestamptz
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100)`,

  // The time up to which documents have been deleted: `timers/sweep-documents.ts`.
  `CREATE TABLE jobs.document_sweep (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    swept_until timestamptz NOT NULL
  )`,
  `INSERT INTO jobs.document_sweep (swept_until) VALUES ('-infinity')`,

  // A key has a row only once it has created a job.
  `CREATE TABLE jobs.idempotency_key (
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    key text NOT NULL,
    body_hash bytea NOT NULL,
    job_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, mode, key)
  )`,
  'CREATE INDEX idempotency_key_created ON jobs.idempotency_key (created_at)',

  // Half of each page is reserved for newer row versions, so that creations are HOT updates.
  `CREATE TABLE jobs.creation_count (
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    period date NOT NULL,
    count int NOT NULL,
    PRIMARY KEY (organization_id, mode, period)
  ) WITH (fillfactor = 50)`,

  `CREATE TABLE jobs.computer_fence (
    computer_id uuid PRIMARY KEY,
    epoch bigint NOT NULL,
    deleted boolean NOT NULL DEFAULT false
  )`,
  // For the sweep that ends the jobs of deleted computers.
  `CREATE INDEX computer_deleted ON jobs.computer_fence (computer_id) WHERE deleted`,

  // Jobs that ended while their agent held them, until the agent has confirmed their removal.
  `CREATE TABLE jobs.removal (
    job_id uuid PRIMARY KEY,
    computer_id uuid NOT NULL,
    created_at timestamptz NOT NULL
  )`,
  'CREATE INDEX removal_of_computer ON jobs.removal (computer_id)',

  ...createEventLog('jobs', ['job']),
]
