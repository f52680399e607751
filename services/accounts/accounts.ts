/** Shared by all RPCs and timers of the service. */
import type { Clock } from '@platen/runtime/clock.ts'
import type { Database } from '@platen/runtime/database/database.ts'
import type { Keyring } from '@platen/runtime/keyring.ts'
import type { Logger } from '@platen/runtime/log.ts'
import type { Mailer } from '@platen/runtime/mail/mailer.ts'

export interface Accounts {
  orm: Database['orm']
  pool: Database['pool']
  clock: Clock
  log: Logger
  mailer: Mailer
  /** Without a mail server, `npm start` prints sign-in codes. */
  hasMailServer: boolean
  /** The address of the dashboard. Undefined: mails have no link. */
  publicUrl: string | undefined
  signInKey: Keyring
  signInCodeMs: number
  /** A session ends when it was not used for this time. */
  sessionIdleMs: number
  /** A session ends after this time. */
  sessionMs: number
  /** Rows of the audit log are deleted after this time. */
  auditRetentionMs: number
  /** Unwritten last uses by the ids of the keys and of the sessions. At most one entry each. */
  lastUses: Record<UsedTable, Map<string, Date>>
}

export type UsedTable = 'api_key' | 'session'
