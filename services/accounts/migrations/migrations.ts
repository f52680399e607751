import type { MigrationList } from '@platen/runtime/database/migrate.ts'
import { CreateAccounts } from './0001-accounts.ts'
import { AddRevocationAndLastUse } from './0002-revocation-and-last-use.ts'
import { AddUsers } from './0003-users.ts'

/** In the order in which they are run. */
export const MIGRATIONS: MigrationList = [
  { name: '0001-accounts', class: CreateAccounts },
  { name: '0002-revocation-and-last-use', class: AddRevocationAndLastUse },
  { name: '0003-users', class: AddUsers },
]
