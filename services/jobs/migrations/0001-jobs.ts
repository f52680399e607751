import { Migration } from '@mikro-orm/migrations'
import { createOutbox } from '@platen/runtime/event-log/outbox.ts'

export class CreateJobs extends Migration {
  override up(): void {
    this.addSql(`CREATE TABLE jobs.job (
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
      expire_after_seconds int NOT NULL,
      expires_at timestamptz NOT NULL,
      storage_key text NOT NULL,
      file_size_bytes int NOT NULL,
      file_sha256 text NOT NULL,
      state text NOT NULL,
      state_message text,
      state_reasons text[] NOT NULL DEFAULT '{}',
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
      finished_at timestamptz
    )`)
    const notFinal = `state IN ('queued', 'sent', 'received', 'printing')`
    this.addSql(`CREATE INDEX job_waiting ON jobs.job (computer_id, accepted_order) WHERE ${notFinal}`)
    this.addSql(`CREATE INDEX job_expiring ON jobs.job (expires_at) WHERE state IN ('queued', 'sent')`)
    this.addSql(`CREATE INDEX job_unacknowledged ON jobs.job (pushed_at) WHERE state = 'sent'`)
    this.addSql(`CREATE TABLE jobs.job_event (
      id uuid PRIMARY KEY,
      job_id uuid NOT NULL REFERENCES jobs.job,
      sequence int NOT NULL,
      state text NOT NULL,
      message text,
      actor text NOT NULL,
      created_at timestamptz NOT NULL,
      UNIQUE (job_id, sequence)
    )`)
    this.addSql(`CREATE TABLE jobs.computer_fence (computer_id uuid PRIMARY KEY, epoch bigint NOT NULL)`)
    for (const statement of createOutbox('jobs')) this.addSql(statement)
  }
}
