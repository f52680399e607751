import { Migration } from '@mikro-orm/migrations'

export class AddEnrolmentAndDeletion extends Migration {
  override up(): void {
    // A computer that was deleted stays, so that its agent can be told why it is refused, and until jobs has ended its jobs.
    this.addSql(`ALTER TABLE devices.computer ADD COLUMN deleted_at timestamptz, ADD COLUMN jobs_ended_at timestamptz`)
    this.addSql(`CREATE INDEX computer_jobs_to_end ON devices.computer (deleted_at)
      WHERE deleted_at IS NOT NULL AND jobs_ended_at IS NULL`)
    this.addSql(`CREATE TABLE devices.enrollment (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      token_sha256 bytea NOT NULL UNIQUE,
      max_uses int NOT NULL,
      uses int NOT NULL DEFAULT 0 CHECK (uses <= max_uses),
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL
    )`)
  }
}
