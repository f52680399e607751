import { Migration } from '@mikro-orm/migrations'
import { createCursors } from '@platen/runtime/event-log/follow.ts'

export class CreateLogCursor extends Migration {
  override up(): void {
    this.addSql(createCursors('usage'))
  }
}
