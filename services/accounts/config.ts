/** The settings of the accounts service. */
import { listenAddress, originUrl, readEnvironment, seconds } from '@platen/runtime/config.ts'
import { databaseSettings, databaseVariables } from '@platen/runtime/database/settings.ts'
import { key32Keyring } from '@platen/runtime/keyring.ts'
import { MAIL_VARIABLES, mailSettings } from '@platen/runtime/mail/settings.ts'
import { rpcCallers } from '@platen/runtime/rpc/callers.ts'
import { z } from 'zod'

const DAY_SECONDS = 24 * 60 * 60

const ENVIRONMENT = z
  .object({
    PLATEN_RPC_LISTEN: listenAddress,
    PLATEN_RPC_CALLERS: rpcCallers,
    ...databaseVariables('accounts'),
    PLATEN_SIGN_IN_KEY: key32Keyring,
    PLATEN_SIGN_IN_CODE_SECONDS: seconds(600).refine((code) => code <= 3600, 'must be 3600 or less'),
    PLATEN_SESSION_IDLE_SECONDS: seconds(7 * DAY_SECONDS),
    PLATEN_SESSION_SECONDS: seconds(30 * DAY_SECONDS),
    PLATEN_AUDIT_RETENTION_SECONDS: seconds(400 * DAY_SECONDS),
    ...MAIL_VARIABLES,
    PLATEN_PUBLIC_URL: originUrl.optional(),
  })
  .refine((env) => env.PLATEN_PUBLIC_URL !== undefined || env.PLATEN_SMTP_URL === undefined, {
    path: ['PLATEN_PUBLIC_URL'],
    message: 'must be set with PLATEN_SMTP_URL, to the address of the dashboard: https://print.example.com for example',
  })

export function readConfig() {
  const env = readEnvironment(ENVIRONMENT)
  return {
    rpc: { listen: env.PLATEN_RPC_LISTEN, callers: env.PLATEN_RPC_CALLERS },
    database: databaseSettings(env),
    /** The key of the HMACs of sign-in codes and of the codes in unsent mails. */
    signInKey: env.PLATEN_SIGN_IN_KEY,
    signInCodeMs: env.PLATEN_SIGN_IN_CODE_SECONDS * 1000,
    sessionIdleMs: env.PLATEN_SESSION_IDLE_SECONDS * 1000,
    sessionMs: env.PLATEN_SESSION_SECONDS * 1000,
    auditRetentionMs: env.PLATEN_AUDIT_RETENTION_SECONDS * 1000,
    mail: mailSettings(env),
    publicUrl: env.PLATEN_PUBLIC_URL && new URL(env.PLATEN_PUBLIC_URL).origin,
  }
}

export type Config = ReturnType<typeof readConfig>
