import { Migration } from '@mikro-orm/migrations'
import { createCursors } from '@platen/runtime/event-log/follow.ts'

export class CreateUsage extends Migration {
  override up(): void {
    // One row for each accepted live job, by the id of its first event.
    this.addSql(`CREATE TABLE usage.ledger (
      event_id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      job_id uuid NOT NULL,
      job_created_at timestamptz NOT NULL
    )`)

    // The ledger, counted: written by the statement that writes the ledger.
    this.addSql(`CREATE TABLE usage.period_count (
      organization_id uuid NOT NULL,
      period_start timestamptz NOT NULL,
      prints int NOT NULL,
      PRIMARY KEY (organization_id, period_start)
    ) WITH (fillfactor = 50)`)

    this.addSql(`CREATE TABLE usage.plan (
      organization_id uuid PRIMARY KEY,
      prints_limit bigint,
      computers_limit bigint,
      changed_at timestamptz NOT NULL
    )`)

    this.addSql(createCursors('usage'))
  }
}
