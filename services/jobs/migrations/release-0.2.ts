import { continueByProcess } from '@platen/runtime/database/commit-seq.ts'
import type { Migration } from '@platen/runtime/database/migrate.ts'
import { createLogCursor } from '@platen/runtime/event-log/follow.ts'

/**
 * `created_by` and `cancelled_by` are `key:<id>` or `user:<id>`, and null for jobs of release 0.1.0. They have no
 * index, so that changes stay HOT updates. Events of creations and ends have the creator as well, for statistics.
 * `interface` is null for the jobs of `/v1`. `number` is for people; earlier jobs get none, because an update of all
 * jobs would stop creations.
 *
 * `confirmed_by` is null until the job is done, and for jobs of release 0.1.0. The time of the last progress is that of
 * `printed`.
 *
 * A job that waits for a printer of a destination has `waiting_destination_id` until one takes it, and again if it
 * returns. It is null for all other jobs, whose changes stay HOT updates.
 *
 * The jobs of a batch have consecutive places in the order of acceptance. One value of the sequence is the first of
 * 1,000 places, of which a job without a batch uses one. So no statement that orders jobs knows batches.
 */
const ADD_COLUMNS = [
  `ALTER TABLE jobs.job
    ADD COLUMN created_by text,
    ADD COLUMN cancelled_by text,
    ADD COLUMN number int,
    ADD COLUMN retain boolean NOT NULL DEFAULT true,
    ADD COLUMN interface text,
    ADD COLUMN reported_user text,
    ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN not_before timestamptz,
    ADD COLUMN confirmed_by text,
    ADD COLUMN printed int,
    ADD COLUMN progress_at timestamptz,
    ADD COLUMN destination_id uuid,
    ADD COLUMN waiting_destination_id uuid,
    ADD COLUMN requested_options jsonb,
    ADD COLUMN passed_printers jsonb,
    ADD COLUMN batch_id uuid,
    ALTER COLUMN accepted_order SET INCREMENT BY 1000`,
  'ALTER TABLE jobs.event_log ADD COLUMN created_by text',
]

const CREATE_TABLES = [
  ...continueByProcess('jobs'),
  // The cursor of the publisher begins with the events of this release.
  ...createLogCursor('jobs'),

  // Half of each page is reserved for newer row versions, so that creations are HOT updates.
  `CREATE TABLE jobs.job_number (
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    last bigint NOT NULL,
    PRIMARY KEY (organization_id, mode)
  ) WITH (fillfactor = 50)`,

  // A row for each pair of a job's metadata, with the id of the job, so that a page of a list by a pair is read in the
  // order of the list. It is written for jobs with metadata only. The value comes before the key, so that a search for
  // a value needs no other index.
  `CREATE TABLE jobs.job_metadata (
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    value text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    commit_seq bigint NOT NULL DEFAULT jobs.to_commit_seq(pg_current_xact_id()),
    id uuid NOT NULL,
    PRIMARY KEY (organization_id, mode, value, key, commit_seq, id)
  )`,

  // The lowest revision of a destination by which printers may claim.
  `CREATE TABLE jobs.destination_fence (
    destination_id uuid PRIMARY KEY,
    revision bigint NOT NULL,
    deleted boolean NOT NULL DEFAULT false
  )`,
  // For the sweep that ends the waiting jobs of deleted destinations.
  'CREATE INDEX destination_deleted ON jobs.destination_fence (destination_id) WHERE deleted',

  // The batches of which a printer has got a job, until their jobs have ended: `rpc/claim-jobs.ts`.
  `CREATE TABLE jobs.begun_batch (
    printer_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    accepted_order bigint NOT NULL,
    PRIMARY KEY (printer_id, batch_id)
  )`,

  // Jobs of computers whose document is awaited or has not arrived, for a printer or a destination. A row becomes a job
  // with its id and number.
  `CREATE TABLE jobs.ipp_submission (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    number int NOT NULL,
    printer_id uuid,
    destination_id uuid,
    created_by text NOT NULL,
    title text NOT NULL,
    reported_user text,
    options jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    end_reason text
  )`,
  'CREATE INDEX ipp_submission_of_access ON jobs.ipp_submission (created_by, number)',
  'CREATE INDEX ipp_submission_of_organization ON jobs.ipp_submission (organization_id)',
  'CREATE INDEX ipp_submission_open ON jobs.ipp_submission (expires_at) WHERE ended_at IS NULL',
  'CREATE INDEX ipp_submission_ended ON jobs.ipp_submission (ended_at) WHERE ended_at IS NOT NULL',

  // The next fetches of each organization, the leased ones, and the oldest.
  'CREATE INDEX document_fetch_next ON jobs.document_fetch (organization_id, created_at, job_id)',
  'CREATE INDEX document_fetch_leased ON jobs.document_fetch (leased_until) WHERE leased_until IS NOT NULL',
  'CREATE INDEX document_fetch_age ON jobs.document_fetch (created_at)',
]

/**
 * Lists read ended jobs by an index of each filter, whose entries are written once, at the end of a job, and all
 * unfinished jobs of an organization by one index.
 */
const INDEXES = {
  job_unfinished: '(organization_id, mode, commit_seq, id) WHERE final_state IS NULL',
  job_ended: '(organization_id, mode, final_state, commit_seq, id) WHERE final_state IS NOT NULL',
  job_ended_of_printer: '(printer_id, final_state, commit_seq, id) WHERE final_state IS NOT NULL',
  job_ended_of_computer: '(computer_id, final_state, commit_seq, id) WHERE final_state IS NOT NULL',
  job_ended_of_source: '(organization_id, mode, source, final_state, commit_seq, id) WHERE final_state IS NOT NULL',
  // For searches by the beginning of a title.
  job_ended_by_title: '(organization_id, mode, lower(title) text_pattern_ops) WHERE final_state IS NOT NULL',
  job_of_destination: '(destination_id, commit_seq, id) WHERE destination_id IS NOT NULL',
  job_batch: '(batch_id, commit_seq, id) WHERE batch_id IS NOT NULL',
  job_of_print_access: `(created_by, number) WHERE interface = 'ipp'`,
  // For the budget of stored bytes, of documents in the store and in the database.
  job_document: `(organization_id, created_at) INCLUDE (file_size_bytes)
    WHERE storage_key IS NOT NULL AND reprint_of IS NULL OR has_inline_document`,
  // The ended jobs whose document `timers/sweep-discarded.ts` deletes, so it is nearly empty.
  job_discarded: `(id)
    WHERE NOT retain AND final_state IS NOT NULL AND (storage_key IS NOT NULL OR has_inline_document)`,
  // Jobs that wait for a time have an entry until they end. Held jobs have a state reason alone.
  job_scheduled: '(not_before) WHERE final_state IS NULL AND not_before IS NOT NULL',
  job_waiting: '(waiting_destination_id, accepted_order) WHERE waiting_destination_id IS NOT NULL',
  // The jobs that printers have taken from destinations.
  job_taken: `(printer_id)
    WHERE destination_id IS NOT NULL AND waiting_destination_id IS NULL AND final_state IS NULL`,
  // It has no waiting job, because its printer and computer are only planned. Release 0.1.0 finds the jobs of a
  // computer by `job_unfinished` after a rollback, and sends waiting ones to the planned printer.
  job_sendable: '(computer_id, accepted_order) WHERE final_state IS NULL AND waiting_destination_id IS NULL',
}

/** Each index is a migration, so that creations wait for one of them at a time, and reads for none. */
export const RELEASE_0_2: Migration[] = [
  { name: '0002-columns', statements: ADD_COLUMNS },
  { name: '0003-tables', statements: CREATE_TABLES },
  {
    name: '0004-job_by_number',
    statements: [
      'CREATE UNIQUE INDEX job_by_number ON jobs.job (organization_id, mode, number) WHERE number IS NOT NULL',
    ],
  },
  ...Object.entries(INDEXES).map(([name, definition]) => ({
    name: `0004-${name}`,
    statements: [`CREATE INDEX ${name} ON jobs.job ${definition}`],
  })),
  // Release 0.1.0 sorts its lists after a rollback.
  {
    name: '0005-replaced-indexes',
    statements: [
      `DROP INDEX jobs.job_active, jobs.job_page_state, jobs.job_page_source, jobs.job_page_printer,
        jobs.job_page_computer`,
      'ALTER INDEX jobs.job_sendable RENAME TO job_active',
    ],
  },
]
