/** The jobs service's settings: names first, meaning second. */

import { TEST_JOBS_PER_DAY } from '@platen/resources/limits.ts'
import { budgetSetting } from '@platen/runtime/budget.ts'
import { listenAddress, readEnvironment, seconds } from '@platen/runtime/config.ts'
import { databaseSettings, databaseVariables } from '@platen/runtime/database/settings.ts'
import { allowedNetworks } from '@platen/runtime/fetch/allowed-networks.ts'
import { key32Keyring } from '@platen/runtime/keyring.ts'
import { NATS_VARIABLES, natsSettings } from '@platen/runtime/messaging/settings.ts'
import { rpcCallers } from '@platen/runtime/rpc/callers.ts'
import { z } from 'zod'

/** 0 keeps jobs for ever. */
const jobRetention = z.coerce
  .number()
  .int()
  .min(0)
  .default(365 * 24 * 60 * 60)

const ENVIRONMENT = z
  .object({
    PLATEN_RPC_LISTEN: listenAddress,
    PLATEN_RPC_CALLERS: rpcCallers,
    ...databaseVariables('jobs'),
    ...NATS_VARIABLES,
    PLATEN_FILE_STORE_URL: z.url(),
    PLATEN_FETCH_KEY: key32Keyring,
    PLATEN_ALLOWED_NETWORKS: allowedNetworks,
    PLATEN_ALLOWED_NETWORKS_DETAILS: z.enum(['on', 'off']).default('off'),
    PLATEN_FETCH_TIMEOUT_SECONDS: seconds(30).refine((timeout) => timeout <= 300, 'must be 300 or less'),
    PLATEN_FETCH_HELD_SECONDS: seconds(60 * 60).refine((held) => held >= 600, 'must be 600 or more'),
    PLATEN_FILE_RETENTION_SECONDS: seconds(604_800),
    PLATEN_RESEND_AFTER_SECONDS: seconds(60),
    PLATEN_PRINTING_TIMEOUT_SECONDS: seconds(15 * 60),
    PLATEN_IDEMPOTENCY_KEY_SECONDS: seconds(24 * 60 * 60),
    PLATEN_JOB_RETENTION_SECONDS: jobRetention,
    PLATEN_TEST_JOBS_PER_DAY: z.coerce.number().int().min(1).max(1_000_000_000).default(TEST_JOBS_PER_DAY),
    PLATEN_UNFINISHED_JOBS_PER_ORGANIZATION: budgetSetting('unfinishedJobs'),
    PLATEN_STORED_BYTES_PER_ORGANIZATION: budgetSetting('storedBytes'),
    PLATEN_LIVE_JOBS_PER_DAY: budgetSetting('jobsPerDay'),
    PLATEN_DATABASE_MAX_BYTES: z.coerce.number().int().min(0).default(0),
  })
  .refine(
    ({ PLATEN_JOB_RETENTION_SECONDS: job, PLATEN_FILE_RETENTION_SECONDS: file, PLATEN_IDEMPOTENCY_KEY_SECONDS: key }) =>
      job === 0 || job >= Math.max(file, key),
    {
      path: ['PLATEN_JOB_RETENTION_SECONDS'],
      message: 'must be 0, or not less than PLATEN_FILE_RETENTION_SECONDS and PLATEN_IDEMPOTENCY_KEY_SECONDS',
    },
  )

export function readConfig() {
  const env = readEnvironment(ENVIRONMENT)
  return {
    rpc: { listen: env.PLATEN_RPC_LISTEN, callers: env.PLATEN_RPC_CALLERS },
    database: databaseSettings(env),
    nats: natsSettings(env),
    fileStoreUrl: env.PLATEN_FILE_STORE_URL,
    fetchKey: env.PLATEN_FETCH_KEY,
    allowedNetworks: env.PLATEN_ALLOWED_NETWORKS,
    /** Jobs show why a fetch from an allowed network failed. */
    allowedNetworksDetails: env.PLATEN_ALLOWED_NETWORKS_DETAILS === 'on',
    fetchTimeoutMs: env.PLATEN_FETCH_TIMEOUT_SECONDS * 1000,
    fetchHeldMs: env.PLATEN_FETCH_HELD_SECONDS * 1000,
    fileRetentionMs: env.PLATEN_FILE_RETENTION_SECONDS * 1000,
    printingTimeoutMs: env.PLATEN_PRINTING_TIMEOUT_SECONDS * 1000,
    idempotencyKeyMs: env.PLATEN_IDEMPOTENCY_KEY_SECONDS * 1000,
    /** 0: jobs are not deleted. */
    jobRetentionMs: env.PLATEN_JOB_RETENTION_SECONDS * 1000,
    resendAfterMs: env.PLATEN_RESEND_AFTER_SECONDS * 1000,
    testJobsPerDay: env.PLATEN_TEST_JOBS_PER_DAY,
    /** The jobs of an organization and mode. */
    unfinishedJobsMax: env.PLATEN_UNFINISHED_JOBS_PER_ORGANIZATION,
    /** The bytes of an organization. */
    storedBytesMax: env.PLATEN_STORED_BYTES_PER_ORGANIZATION,
    /** The jobs of an organization. */
    jobsPerDayMax: env.PLATEN_LIVE_JOBS_PER_DAY,
    /** The bytes of the whole database. 0: without a limit. */
    databaseMaxBytes: env.PLATEN_DATABASE_MAX_BYTES,
  }
}

export type Config = ReturnType<typeof readConfig>
