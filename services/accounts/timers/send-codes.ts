import { createSecretBox } from '@platen/runtime/secret-box.ts'
import type { Accounts } from '../accounts.ts'
import { SignInEntity } from '../entities.ts'
import { organizationSql } from '../sign-in/access.ts'
import { type DueMail, dueSql, sendDueMails } from '../sign-in/due-mails.ts'
import { toSignInMail } from '../sign-in/mails.ts'

interface DueCode extends DueMail {
  browser: string
  ip: string
  createdAt: Date
  encryptedCode: Buffer
  isLimited: boolean
}

/** A known browser has its own limits. */
const CLAIM = `
WITH ${dueSql('accounts.sign_in', 'encrypted_code IS NOT NULL')}
UPDATE accounts.sign_in SET mail_due_at = $2 FROM due WHERE sign_in.id = due.id
RETURNING due.id, email, browser, ip, created_at AS "createdAt", encrypted_code AS "encryptedCode",
  "isFirst" AND limited_by NOT LIKE 'browser %' AS "isLimited",
  ${organizationSql('sign_in.email', '$1')} AS "organizationId"`

/**
 * Sends the due codes to addresses with access. A code whose mail is withheld stays wrong, like that of an address
 * without access.
 */
export async function sendCodes(accounts: Accounts, stopping: AbortSignal): Promise<void> {
  const { orm, publicUrl, signInKey, signInCodeMs } = accounts
  const update = (id: string, changes: object) => orm.em.fork().nativeUpdate(SignInEntity, { id }, changes)
  await sendDueMails<DueCode>(accounts, stopping, {
    claim: CLAIM,
    isLimited: ({ isLimited }) => isLimited,
    toMail({ id, encryptedCode, browser, ip, createdAt }) {
      const code = createSecretBox(signInKey).decrypt(id, encryptedCode)
      return toSignInMail({ code, browser, ip, requestedAt: createdAt, codeMs: signInCodeMs, publicUrl })
    },
    finish: ({ id }, isSent) => update(id, { encryptedCode: null, ...(!isSent && { codeHmac: Buffer.alloc(0) }) }),
    retry: ({ id }, mailDueAt) => update(id, { mailDueAt }),
  })
}
