import type { Migration } from '@platen/runtime/database/migrate.ts'
import { CREATE_WEBHOOKS } from './release-0.1.ts'
import { RELEASE_0_2 } from './release-0.2.ts'

export const MIGRATIONS: Migration[] = [{ name: '0001-schema', statements: CREATE_WEBHOOKS }, ...RELEASE_0_2]
