/** Shared by all RPCs and timers of the service. */
import type { Clock } from '@platen/runtime/clock.ts'
import type { Database } from '@platen/runtime/database/database.ts'

export interface Accounts {
  orm: Database['orm']
  pool: Database['pool']
  clock: Clock
  /** Unwritten last uses by the ids of the keys. At most one entry per key. */
  lastUses: Map<string, Date>
}
