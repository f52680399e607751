import { continueByProcess } from '@platen/runtime/database/commit-seq.ts'
import type { Migration } from '@platen/runtime/database/migrate.ts'
import { CREATE_WEBHOOKS } from './0001-schema.ts'
import { ADD_RESOURCES } from './0003-resources.ts'
import { ADD_ALERTS } from './0004-alerts.ts'
import { ADD_LAST_FAILURE } from './0005-last-failure.ts'
import { ADD_THROTTLING } from './0006-throttling.ts'
import { ADD_PAUSES } from './0007-pauses.ts'
import { ADD_TRACES } from './0008-traces.ts'
import { ADD_ENDPOINT_ALERTS } from './0009-endpoint-alerts.ts'

export const MIGRATIONS: Migration[] = [
  { name: '0001-schema', statements: CREATE_WEBHOOKS },
  { name: '0002-commit-seq', statements: continueByProcess('webhooks') },
  { name: '0003-resources', statements: ADD_RESOURCES },
  { name: '0004-alerts', statements: ADD_ALERTS },
  { name: '0005-last-failure', statements: ADD_LAST_FAILURE },
  { name: '0006-throttling', statements: ADD_THROTTLING },
  { name: '0007-pauses', statements: ADD_PAUSES },
  { name: '0008-traces', statements: ADD_TRACES },
  { name: '0009-endpoint-alerts', statements: ADD_ENDPOINT_ALERTS },
]
