import { Migration } from '@mikro-orm/migrations'

export class AddTestComputers extends Migration {
  override up(): void {
    // Which process plays the virtual test computers. One row at most.
    this.addSql(`CREATE TABLE devices.test_computers_lease (
      one boolean PRIMARY KEY DEFAULT true CHECK (one),
      holder_id uuid NOT NULL,
      expires_at timestamptz NOT NULL
    )`)
    // What that process looks for every few seconds; empty while all are online.
    this.addSql(`CREATE INDEX computer_virtual_offline ON devices.computer (organization_id)
      WHERE mode = 'test' AND state = 'offline'`)
  }
}
