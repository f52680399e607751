import { Migration } from '@mikro-orm/migrations'
import { replaceOutbox } from '@platen/runtime/event-log/outbox.ts'
import { createEventLog } from '@platen/runtime/event-log/table.ts'

export class CreateEventLog extends Migration {
  override up(): void {
    for (const statement of [...replaceOutbox('devices'), ...createEventLog('devices', ['computer', 'printer'])])
      this.addSql(statement)
  }
}
