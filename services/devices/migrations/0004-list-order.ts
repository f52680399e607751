import { Migration } from '@mikro-orm/migrations'
import { addPlaces, createPlaces } from '@platen/runtime/database/commit-order.ts'

/** Lists follow the order in which rows were committed, so that a poller misses none. */
export class AddListOrder extends Migration {
  override up(): void {
    for (const statement of createPlaces('devices')) this.addSql(statement)
    for (const table of ['computer', 'printer']) {
      for (const statement of addPlaces('devices', table)) this.addSql(statement)
      this.addSql(`DROP INDEX devices.${table}_page`)
    }
    this.addSql(`CREATE INDEX computer_page ON devices.computer (organization_id, mode, list_place, id)`)
    this.addSql(
      `CREATE INDEX printer_page ON devices.printer (organization_id, mode, list_place, id) WHERE removed_at IS NULL`,
    )
  }
}
