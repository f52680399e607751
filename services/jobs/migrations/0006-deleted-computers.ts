import { Migration } from '@mikro-orm/migrations'

/** Computers that were deleted, and what of a job's options its printer cannot honour. */
export class AddDeletedComputers extends Migration {
  override up(): void {
    // Found by the sweep that ends the jobs of such computers, however late one is created.
    this.addSql(`ALTER TABLE jobs.computer_fence ADD COLUMN deleted boolean NOT NULL DEFAULT false`)
    this.addSql(`CREATE INDEX computer_deleted ON jobs.computer_fence (computer_id) WHERE deleted`)
    this.addSql(`ALTER TABLE jobs.job ADD COLUMN effective_options jsonb, ADD COLUMN option_warning text`)
  }
}
