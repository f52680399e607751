import { Migration } from '@mikro-orm/migrations'
import { createOutbox } from '@platen/runtime/event-log/outbox.ts'

/** Events of computers and printers. The release before does not know `known_state`: what it adds has the default. */
export class AddEvents extends Migration {
  override up(): void {
    for (const statement of createOutbox('devices')) this.addSql(statement)
    this.addSql(`ALTER TABLE devices.computer ADD COLUMN sequence int NOT NULL DEFAULT 0`)
    // What was last told of its state, and since when another one is reported, while its computer is online.
    this.addSql(`ALTER TABLE devices.printer
      ADD COLUMN sequence int NOT NULL DEFAULT 0,
      ADD COLUMN known_state text NOT NULL DEFAULT 'online' CHECK (known_state IN ('online', 'offline')),
      ADD COLUMN state_differs_since timestamptz`)
    this.addSql(`UPDATE devices.printer SET known_state = reported_state WHERE known_state <> reported_state`)
    this.addSql(`CREATE INDEX printer_state_differs ON devices.printer (state_differs_since)
      WHERE state_differs_since IS NOT NULL`)
  }
}
