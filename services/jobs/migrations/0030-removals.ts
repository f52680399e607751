import { Migration } from '@mikro-orm/migrations'

/** Jobs that ended while their agent was printing them, until it has confirmed that it prints nothing more of them. */
export class CreateRemovals extends Migration {
  override up(): void {
    this.addSql(`CREATE TABLE jobs.removal (
      job_id uuid PRIMARY KEY,
      computer_id uuid NOT NULL,
      created_at timestamptz NOT NULL
    )`)
    this.addSql('CREATE INDEX removal_of_computer ON jobs.removal (computer_id)')
  }
}
