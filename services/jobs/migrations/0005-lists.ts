import { Migration } from '@mikro-orm/migrations'
import { addPlaces, createPlaces } from '@platen/runtime/database/commit-order.ts'

/**
 * Lists follow the order in which jobs were committed. An index for each filter, since a filter that few jobs pass would otherwise read
 * through all the others; what they cost is in `docs/lists.md`.
 */
export class AddLists extends Migration {
  override up(): void {
    for (const statement of [...createPlaces('jobs'), ...addPlaces('jobs', 'job')]) this.addSql(statement)
    this.addSql(`CREATE INDEX job_page ON jobs.job (organization_id, mode, list_place, id)`)
    this.addSql(`CREATE INDEX job_page_state ON jobs.job (organization_id, mode, state, list_place, id)`)
    this.addSql(`CREATE INDEX job_page_source ON jobs.job (organization_id, mode, source, list_place, id)`)
    this.addSql(`CREATE INDEX job_page_printer ON jobs.job (printer_id, list_place, id)`)
    this.addSql(`CREATE INDEX job_page_computer ON jobs.job (computer_id, list_place, id)`)
  }
}
