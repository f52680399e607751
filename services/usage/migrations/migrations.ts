import type { Migration } from '@platen/runtime/database/migrate.ts'
import { CREATE_USAGE } from './0001-schema.ts'
import { ADD_STATISTICS } from './0002-statistics.ts'
import { ADD_INTERVALS } from './0003-intervals.ts'
import { ADD_RECENT_COUNTS } from './0004-recent-counts.ts'
import { ADD_CONFIRMATIONS } from './0005-confirmations.ts'

export const MIGRATIONS: Migration[] = [
  { name: '0001-schema', statements: CREATE_USAGE },
  { name: '0002-statistics', statements: ADD_STATISTICS },
  { name: '0003-intervals', statements: ADD_INTERVALS },
  { name: '0004-recent-counts', statements: ADD_RECENT_COUNTS },
  { name: '0005-confirmations', statements: ADD_CONFIRMATIONS },
]
