import { Migration } from '@mikro-orm/migrations'

export class CreateAccounts extends Migration {
  override up(): void {
    this.addSql(`CREATE TABLE accounts.organization (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      created_at timestamptz NOT NULL
    )`)
    this.addSql(`CREATE TABLE accounts.api_key (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL REFERENCES accounts.organization,
      name text NOT NULL,
      key_sha256 bytea NOT NULL UNIQUE,
      prefix text NOT NULL,
      mode text NOT NULL CHECK (mode IN ('live', 'test')),
      scopes text[] NOT NULL,
      created_at timestamptz NOT NULL
    )`)
  }
}
