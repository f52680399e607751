import { Migration } from '@mikro-orm/migrations'

/**
 * What the owners of an organization are to be told by e-mail about an endpoint: the newest alone, which makes what was to be said before
 * it obsolete. `due_at` is null when nothing is left to do; `told` are the users who have it.
 */
export class AddNotices extends Migration {
  override up(): void {
    this.addSql(`CREATE TABLE webhooks.notice (
      endpoint_id uuid PRIMARY KEY REFERENCES webhooks.endpoint ON DELETE CASCADE,
      id uuid NOT NULL,
      stage text NOT NULL CHECK (stage IN ('1 hour', '1 day', '4 days', 'disabled')),
      failing_since timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      due_at timestamptz,
      tries int NOT NULL DEFAULT 0,
      told uuid[] NOT NULL DEFAULT '{}'
    )`)
    this.addSql(`CREATE INDEX notice_due ON webhooks.notice (due_at) WHERE due_at IS NOT NULL`)
  }
}
