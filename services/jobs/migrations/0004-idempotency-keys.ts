import { Migration } from '@mikro-orm/migrations'

export class CreateIdempotencyKeys extends Migration {
  override up(): void {
    this.addSql(`CREATE TABLE jobs.idempotency_key (
      organization_id uuid NOT NULL,
      mode text NOT NULL,
      key text NOT NULL,
      claim_token uuid NOT NULL,
      body_hash bytea,
      job_id uuid,
      created_at timestamptz NOT NULL,
      lease_until timestamptz NOT NULL,
      PRIMARY KEY (organization_id, mode, key)
    )`)
    this.addSql('CREATE INDEX idempotency_key_created ON jobs.idempotency_key (created_at)')
  }
}
