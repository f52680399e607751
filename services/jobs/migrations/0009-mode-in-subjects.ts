import { Migration } from '@mikro-orm/migrations'

/** Events of the release before that are still on their way: nobody hears their subjects any more. */
export class PutModeInSubjects extends Migration {
  override up(): void {
    this.addSql(
      `UPDATE jobs.outbox SET subject = 'platen.jobs.' || (payload->>'mode') || '.' || (payload->>'state')
       WHERE subject NOT LIKE 'platen.jobs.%.%'`,
    )
  }
}
