/** What every RPC of the service works with. */
import type { Clock } from '@platen/runtime/clock.ts'
import type { Database } from '@platen/runtime/database/database.ts'

export interface Accounts {
  orm: Database['orm']
  pool: Database['pool']
  clock: Clock
  /** When keys were last used, by their ids, as far as it is not written yet. At most as many as there are keys. */
  lastUses: Map<string, Date>
}
