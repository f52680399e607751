import type { Migration } from '@platen/runtime/database/migrate.ts'
import { CREATE_ACCOUNTS } from './0001-schema.ts'
import { ADD_SESSIONS } from './0002-sessions.ts'
import { ADD_AUDIT } from './0003-audit.ts'
import { ADD_OPERATORS } from './0004-operators.ts'
import { ADD_AUDIT_LISTS } from './0005-audit-lists.ts'
import { ADD_INVITATIONS } from './0006-invitations.ts'
import { ADD_KEY_EXPIRY } from './0007-key-expiry.ts'
import { ADD_SUSPENSION } from './0008-suspension.ts'
import { ADD_DELETION } from './0009-deletion.ts'
import { GUARD_AUDIT } from './0010-audit-guard.ts'
import { ADD_RETENTION } from './0011-retention.ts'
import { ADD_REFUSALS } from './0012-refusals.ts'
import { ADD_PRINT_ACCESS } from './0013-print-access.ts'

export const MIGRATIONS: Migration[] = [
  { name: '0001-schema', statements: CREATE_ACCOUNTS },
  { name: '0002-sessions', statements: ADD_SESSIONS },
  { name: '0003-audit', statements: ADD_AUDIT },
  { name: '0004-operators', statements: ADD_OPERATORS },
  { name: '0005-audit-lists', statements: ADD_AUDIT_LISTS },
  { name: '0006-invitations', statements: ADD_INVITATIONS },
  { name: '0007-key-expiry', statements: ADD_KEY_EXPIRY },
  { name: '0008-suspension', statements: ADD_SUSPENSION },
  { name: '0009-deletion', statements: ADD_DELETION },
  { name: '0010-audit-guard', statements: GUARD_AUDIT },
  { name: '0011-retention', statements: ADD_RETENTION },
  { name: '0012-refusals', statements: ADD_REFUSALS },
  { name: '0013-print-access', statements: ADD_PRINT_ACCESS },
]
