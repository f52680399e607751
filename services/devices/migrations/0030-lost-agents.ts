import { Migration } from '@mikro-orm/migrations'

/** Computers whose agent was given up after a long absence, and whether the jobs service has heard of it. */
export class AddLostAgents extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE devices.computer ADD COLUMN lost_at timestamptz, ADD COLUMN lost_told_at timestamptz`)
    this.addSql(`CREATE INDEX computer_away ON devices.computer (last_seen_at)
      WHERE state = 'offline' AND lost_at IS NULL AND deleted_at IS NULL`)
    this.addSql(`CREATE INDEX computer_lost_to_tell ON devices.computer (lost_at)
      WHERE lost_at IS NOT NULL AND lost_told_at IS NULL`)
  }
}
