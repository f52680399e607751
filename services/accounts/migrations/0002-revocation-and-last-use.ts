import { Migration } from '@mikro-orm/migrations'

export class AddRevocationAndLastUse extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE accounts.api_key
      ADD COLUMN last_four text,
      ADD COLUMN last_used_at timestamptz,
      ADD COLUMN revoked_at timestamptz`)
    // The keys of an organization, as they are listed.
    this.addSql('CREATE INDEX api_key_listed ON accounts.api_key (organization_id, (revoked_at IS NOT NULL), id DESC)')
  }
}
