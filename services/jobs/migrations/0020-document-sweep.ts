import { Migration } from '@mikro-orm/migrations'

/** How far documents may have been deleted: see `timers/sweep-documents.ts`. */
export class AddDocumentSweep extends Migration {
  override up(): void {
    this.addSql(`CREATE TABLE jobs.document_sweep (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      swept_until timestamptz NOT NULL
    )`)
    this.addSql(`INSERT INTO jobs.document_sweep (swept_until) VALUES ('-infinity')`)
  }
}
