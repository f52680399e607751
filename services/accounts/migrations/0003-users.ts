import { Migration } from '@mikro-orm/migrations'

export class AddUsers extends Migration {
  override up(): void {
    // Addresses are kept in lower case: nobody shall be two people by an initial letter.
    this.addSql(`CREATE TABLE accounts.user (
      id uuid PRIMARY KEY,
      email text NOT NULL UNIQUE,
      created_at timestamptz NOT NULL
    )`)
    this.addSql(`CREATE TABLE accounts.membership (
      organization_id uuid NOT NULL REFERENCES accounts.organization,
      user_id uuid NOT NULL REFERENCES accounts.user,
      role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
      created_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, user_id)
    )`)
    this.addSql('CREATE INDEX membership_of_user ON accounts.membership (user_id)')
  }
}
