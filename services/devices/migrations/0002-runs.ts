import { Migration } from '@mikro-orm/migrations'

export class AddRuns extends Migration {
  override up(): void {
    // Of the agent whose hello was the newest.
    this.addSql(`ALTER TABLE devices.computer
      ADD COLUMN run_id text NOT NULL DEFAULT '',
      ADD COLUMN stream_number bigint NOT NULL DEFAULT 0`)
  }
}
