/** What every RPC of the service works with. */
import type { Clock } from '@platen/runtime/clock.ts'
import type { Database } from '@platen/runtime/database/database.ts'

export interface Usage {
  orm: Database['orm']
  pool: Database['pool']
  clock: Clock
}
