import { Migration } from '@mikro-orm/migrations'

export class CreateCreationCounts extends Migration {
  override up(): void {
    // Half of each page is left for newer versions of its rows, so that no creation has to touch the index.
    this.addSql(`CREATE TABLE jobs.creation_count (
      organization_id uuid NOT NULL,
      mode text NOT NULL,
      period date NOT NULL,
      count int NOT NULL,
      PRIMARY KEY (organization_id, mode, period)
    ) WITH (fillfactor = 50)`)
  }
}
