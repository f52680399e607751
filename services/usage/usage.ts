/** Shared by all RPCs of the service. */
import type { Clock } from '@platen/runtime/clock.ts'
import type { Database } from '@platen/runtime/database/database.ts'

export interface Usage {
  orm: Database['orm']
  pool: Database['pool']
  clock: Clock
}
