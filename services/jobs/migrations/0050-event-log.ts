import { Migration } from '@mikro-orm/migrations'
import { replaceOutbox } from '@platen/runtime/event-log/outbox.ts'
import { createEventLog } from '@platen/runtime/event-log/table.ts'

export class CreateEventLog extends Migration {
  override up(): void {
    for (const statement of [...replaceOutbox('jobs'), ...createEventLog('jobs', ['job'])]) this.addSql(statement)
  }
}
