import { Migration } from '@mikro-orm/migrations'
import { createDays } from '@platen/runtime/database/days.ts'

/**
 * No column that changes while a job is on its way is in an index or its condition, but `final_state`, which is set once, and `fetching`:
 * so nearly every change is a HOT update, which writes no index (81 % instead of none; the condition of an index counts as its column).
 * Lists by state find unfinished jobs where `final_state` is null.
 *
 * Small documents lie beside their jobs, by the day. An `Idempotency-Key` has a row only once it has made a job.
 */
export class MakeJobsHot extends Migration {
  override up(): void {
    for (const index of ['waiting', 'expiring', 'unacknowledged', 'fetching', 'page_state'])
      this.addSql(`DROP INDEX jobs.job_${index}`)
    this.addSql(`ALTER TABLE jobs.job
      ADD COLUMN final_state text,
      ADD COLUMN fetching boolean NOT NULL DEFAULT false,
      ADD COLUMN has_inline_document boolean NOT NULL DEFAULT false`)
    this.addSql(`ALTER TABLE jobs.job SET (fillfactor = 60)`)
    this.addSql(`UPDATE jobs.job SET final_state = state WHERE state IN ('done', 'error', 'cancelled', 'expired')`)
    this.addSql(`UPDATE jobs.job SET fetching = true WHERE state = 'queued' AND storage_key IS NULL`)
    this.addSql(`CREATE INDEX job_active ON jobs.job (computer_id, accepted_order) WHERE final_state IS NULL`)
    this.addSql(`CREATE INDEX job_expiring ON jobs.job (expires_at) WHERE final_state IS NULL`)
    this.addSql(`CREATE INDEX job_fetching ON jobs.job (printer_id, accepted_order) WHERE fetching`)
    this.addSql(`CREATE INDEX job_page_state ON jobs.job (organization_id, mode, final_state, list_place, id)`)
    // The events of a job are looked up by the job alone.
    this.addSql(`ALTER TABLE jobs.job_event DROP CONSTRAINT job_event_pkey, DROP CONSTRAINT job_event_job_id_sequence_key,
      ADD PRIMARY KEY (job_id, sequence)`)

    for (const statement of createDays('jobs', 'document', 'job_id uuid PRIMARY KEY, content bytea NOT NULL', 'job_id'))
      this.addSql(statement)
    // Documents are compressed already, or small.
    this.addSql(`ALTER TABLE jobs.document ALTER COLUMN content SET STORAGE EXTERNAL`)

    this.addSql(`DELETE FROM jobs.idempotency_key WHERE job_id IS NULL`)
    this.addSql(`ALTER TABLE jobs.idempotency_key
      DROP COLUMN claim_token, DROP COLUMN lease_until,
      ALTER COLUMN job_id SET NOT NULL, ALTER COLUMN body_hash SET NOT NULL`)
  }
}
