import { MailFailure } from '@platen/runtime/mail/mailer.ts'
import { createSecretBox } from '@platen/runtime/secret-box.ts'
import type { Accounts } from '../accounts.ts'
import { countSql, MAILS_OF_INSTALLATION_PER_HOUR } from '../sign-in/limits.ts'
import { toSignInMail } from '../sign-in/sign-in-mail.ts'

/** Longer than the timeout of one mail, so that no other replica sends the same one. */
const LEASE_MS = 60_000

const RETRY_AFTER_MS = 10_000

/** A slow mail server must not make one wait for the other. */
const MAILS_AT_ONCE = 16

interface Claimed {
  id: string
  email: string
  browser: string
  ip: string
  createdAt: Date
  encryptedCode: Buffer
  isKnownBrowser: boolean
  /** Whether the address has a user with an organization. */
  hasAccess: boolean
}

const CLAIM = `
UPDATE accounts.sign_in SET mail_due_at = $2 WHERE id IN (
  SELECT id FROM accounts.sign_in WHERE encrypted_code IS NOT NULL AND mail_due_at <= $1 AND expires_at > $1
  ORDER BY mail_due_at LIMIT ${MAILS_AT_ONCE} FOR UPDATE SKIP LOCKED
)
RETURNING id, email, browser, ip, created_at AS "createdAt", encrypted_code AS "encryptedCode",
  limited_by LIKE 'browser %' AS "isKnownBrowser",
  EXISTS (
    SELECT FROM accounts.user AS member JOIN accounts.membership ON user_id = member.id WHERE member.email = sign_in.email
  ) AS "hasAccess"`

const COUNT = countSql('mails of installation', `SELECT ''`, 'hour', '$1', MAILS_OF_INSTALLATION_PER_HOUR)

const FINISH = 'UPDATE accounts.sign_in SET encrypted_code = NULL WHERE id = $1'

const RETRY = 'UPDATE accounts.sign_in SET mail_due_at = $2 WHERE id = $1'

/** Sends the due codes to addresses with access. A process that crashes repeats a mail at most once, with the same `Message-ID`. */
export async function sendCodes(accounts: Accounts, stopping: AbortSignal): Promise<void> {
  let claimed: Claimed[]
  do {
    const now = accounts.clock.now()
    const values = [now, new Date(now.getTime() + LEASE_MS)]
    claimed = (await accounts.pool.query<Claimed>(CLAIM, values)).rows
    await Promise.all(claimed.map((one) => send(accounts, one)))
  } while (claimed.length === MAILS_AT_ONCE && !stopping.aborted)
}

async function send(accounts: Accounts, claimed: Claimed): Promise<void> {
  const { pool, clock, log, mailer, signInKey, signInCodeMs } = accounts
  const { id, email, hasAccess, createdAt, encryptedCode } = claimed
  if (hasAccess && (await isPermitted(accounts, claimed))) {
    const code = createSecretBox(signInKey).decrypt(id, encryptedCode)
    const mail = toSignInMail({ ...claimed, code, requestedAt: createdAt, codeMs: signInCodeMs })
    try {
      await mailer.send({ id, to: email, ...mail })
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      log.warn({ err: error, sign_in_id: id }, 'sign-in code not sent, will be retried')
      await pool.query(RETRY, [id, new Date(clock.now().getTime() + RETRY_AFTER_MS)])
      return
    }
  }
  await pool.query(FINISH, [id])
}

async function isPermitted({ pool, clock, log }: Accounts, { isKnownBrowser }: Claimed): Promise<boolean> {
  if (isKnownBrowser) return true
  const isCounted = (await pool.query(COUNT, [clock.now()])).rowCount === 1
  if (!isCounted) log.warn({ max: MAILS_OF_INSTALLATION_PER_HOUR }, 'sign-in code not sent, too many in this hour')
  return isCounted
}
