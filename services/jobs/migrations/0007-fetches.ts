import { Migration } from '@mikro-orm/migrations'

/**
 * Documents that are fetched after the creation of their job, and documents that several jobs share.
 *
 * A job without `storage_key` has no document: its fetch is going on (`queued`) or failed. What the fetch needs to know is in
 * `jobs.document_fetch` until it ends, sealed, and never in the job's row.
 *
 * A document is kept while any job that names it is younger than 7 days or has not ended. A reprint names the document of its original, and only
 * reprints share one, so `job_sharing` answers whether a document of an old job is still in use.
 */
export class CreateFetches extends Migration {
  override up(): void {
    for (const column of ['storage_key', 'file_size_bytes', 'file_sha256'])
      this.addSql(`ALTER TABLE jobs.job ALTER COLUMN ${column} DROP NOT NULL`)
    this.addSql(`ALTER TABLE jobs.job ADD COLUMN reprint_of uuid`)
    const fetching = `state = 'queued' AND storage_key IS NULL`
    this.addSql(`CREATE INDEX job_fetching ON jobs.job (printer_id, accepted_order) WHERE ${fetching}`)
    this.addSql(`CREATE INDEX job_sharing ON jobs.job (storage_key, created_at) WHERE reprint_of IS NOT NULL`)
    this.addSql(`CREATE TABLE jobs.document_fetch (
      job_id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      host_digest bytea NOT NULL,
      sealed_source bytea NOT NULL,
      created_at timestamptz NOT NULL,
      attempt int NOT NULL DEFAULT 0,
      leased_until timestamptz
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100)`)
  }
}
