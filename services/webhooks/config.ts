/** The settings of the webhooks service. */
import { listenAddress, originUrl, readEnvironment, seconds } from '@platen/runtime/config.ts'
import { databaseSettings, databaseVariables } from '@platen/runtime/database/settings.ts'
import { allowedNetworks } from '@platen/runtime/fetch/allowed-networks.ts'
import { key32Keyring, secret } from '@platen/runtime/keyring.ts'
import { MAIL_VARIABLES, mailSettings } from '@platen/runtime/mail/settings.ts'
import { NATS_VARIABLES, natsSettings } from '@platen/runtime/messaging/settings.ts'
import { rpcCallers } from '@platen/runtime/rpc/callers.ts'
import { z } from 'zod'
import { RETRY_GAPS_MS } from './delivery/schedule.ts'

/** `5,300,1800`: seconds from the end of each failed attempt to the next one. */
const retryGaps = z
  .string()
  .regex(/^\d{1,6}(,\d{1,6}){0,19}$/, 'must be 1 to 20 numbers of seconds separated by commas, for example 5,300,1800')
  .transform((list) => list.split(',').map((gap) => Number(gap) * 1000))
  .default([...RETRY_GAPS_MS])

const ENVIRONMENT = z.object({
  PLATEN_RPC_LISTEN: listenAddress,
  PLATEN_RPC_CALLERS: rpcCallers,
  PLATEN_RPC_KEY: secret,
  ...databaseVariables('webhooks'),
  ...NATS_VARIABLES,
  PLATEN_ACCOUNTS_URL: z.url(),
  PLATEN_JOBS_URL: z.url(),
  PLATEN_DEVICES_URL: z.url(),
  PLATEN_WEBHOOK_KEY: key32Keyring,
  PLATEN_ALLOWED_NETWORKS: allowedNetworks,
  PLATEN_ALLOWED_NETWORKS_DETAILS: z.enum(['on', 'off']).default('off'),
  PLATEN_EVENT_RETENTION_SECONDS: seconds(30 * 24 * 60 * 60),
  PLATEN_WEBHOOK_RETRY_GAPS: retryGaps,
  PLATEN_WEBHOOK_TIMEOUT_SECONDS: seconds(15).refine((timeout) => timeout <= 25, 'must be 25 or less'),
  // Longer than an attempt, which otherwise would be made twice.
  PLATEN_WEBHOOK_LEASE_SECONDS: seconds(45).refine((lease) => lease >= 30, 'must be 30 or more'),
  PLATEN_WEBHOOK_DISABLE_AFTER_SECONDS: seconds(432_000),
  ...MAIL_VARIABLES,
  PLATEN_PUBLIC_URL: originUrl.optional(),
})

export function readConfig() {
  const env = readEnvironment(ENVIRONMENT)
  return {
    rpc: { listen: env.PLATEN_RPC_LISTEN, callers: env.PLATEN_RPC_CALLERS },
    rpcKey: env.PLATEN_RPC_KEY,
    database: databaseSettings(env),
    nats: natsSettings(env),
    accountsUrl: env.PLATEN_ACCOUNTS_URL,
    jobsUrl: env.PLATEN_JOBS_URL,
    devicesUrl: env.PLATEN_DEVICES_URL,
    /** Encrypts the secrets of endpoints. */
    webhookKey: env.PLATEN_WEBHOOK_KEY,
    allowedNetworks: env.PLATEN_ALLOWED_NETWORKS,
    /** Deliveries show the answers of receivers in allowed networks. */
    allowedNetworksDetails: env.PLATEN_ALLOWED_NETWORKS_DETAILS === 'on',
    eventRetentionMs: env.PLATEN_EVENT_RETENTION_SECONDS * 1000,
    webhookRetryGapsMs: env.PLATEN_WEBHOOK_RETRY_GAPS,
    webhookTimeoutMs: env.PLATEN_WEBHOOK_TIMEOUT_SECONDS * 1000,
    webhookLeaseMs: env.PLATEN_WEBHOOK_LEASE_SECONDS * 1000,
    webhookDisableAfterMs: env.PLATEN_WEBHOOK_DISABLE_AFTER_SECONDS * 1000,
    mail: mailSettings(env),
    publicUrl: env.PLATEN_PUBLIC_URL && new URL(env.PLATEN_PUBLIC_URL).origin,
  }
}

export type Config = ReturnType<typeof readConfig>
