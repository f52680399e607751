import { continueByProcess } from '@platen/runtime/database/commit-seq.ts'
import type { Migration } from '@platen/runtime/database/migrate.ts'
import { CREATE_DEVICES } from './0001-schema.ts'
import { ADD_EVENT_CURSOR } from './0003-event-cursor.ts'
import { ADD_NEW_CREDENTIALS } from './0004-new-credentials.ts'
import { ADD_NUMBERS } from './0005-numbers.ts'
import { ADD_AGENT_UPDATE } from './0006-agent-update.ts'
import { ADD_PAUSED } from './0007-paused.ts'
import { ADD_UNAUTHORIZED } from './0008-unauthorized.ts'
import { ADD_DIAGNOSTICS } from './0009-diagnostics.ts'
import { ADD_ENROLLMENT_KEY } from './0010-enrollment-key.ts'
import { ADD_NEWER_CAPABILITIES } from './0011-newer-capabilities.ts'
import { ADD_SPOOLER_PROBLEM } from './0012-spooler-problem.ts'
import { ADD_DESTINATIONS } from './0013-destinations.ts'
import { ADD_DEFAULT_EXPIRY } from './0014-default-expiry.ts'
import { ADD_SHARED_PRINTERS } from './0015-shared-printers.ts'

export const MIGRATIONS: Migration[] = [
  { name: '0001-schema', statements: CREATE_DEVICES },
  { name: '0002-commit-seq', statements: continueByProcess('devices') },
  { name: '0003-event-cursor', statements: ADD_EVENT_CURSOR },
  { name: '0004-new-credentials', statements: ADD_NEW_CREDENTIALS },
  { name: '0005-numbers', statements: ADD_NUMBERS },
  { name: '0006-agent-update', statements: ADD_AGENT_UPDATE },
  { name: '0007-paused', statements: ADD_PAUSED },
  { name: '0008-unauthorized', statements: ADD_UNAUTHORIZED },
  { name: '0009-diagnostics', statements: ADD_DIAGNOSTICS },
  { name: '0010-enrollment-key', statements: ADD_ENROLLMENT_KEY },
  { name: '0011-newer-capabilities', statements: ADD_NEWER_CAPABILITIES },
  { name: '0012-spooler-problem', statements: ADD_SPOOLER_PROBLEM },
  { name: '0013-destinations', statements: ADD_DESTINATIONS },
  { name: '0014-default-expiry', statements: ADD_DEFAULT_EXPIRY },
  { name: '0015-shared-printers', statements: ADD_SHARED_PRINTERS },
]
