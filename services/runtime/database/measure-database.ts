import type { Pool } from 'pg'
import { release } from '../release.ts'
import { buildInfo, dbPoolWaiting, dbUnavailable } from '../telemetry/metrics.ts'
import type { Migration } from './migrate.ts'

/** @param service that owns the database schema. */
export function measureDatabase(service: string, pool: Pool, migrations: Migration[]): void {
  dbPoolWaiting.observe({ service }, () => pool.waitingCount)
  dbUnavailable.add(0, { service })
  buildInfo.set(1, { service, version: release, schema: migrations.at(-1)?.name ?? '' })
}
