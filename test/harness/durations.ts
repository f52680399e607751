/** The defaults of docs/settings.md#durations, for services started without an environment. */
export const ACCOUNTS_DURATIONS = {
  signInCodeMs: 10 * 60_000,
  sessionIdleMs: 7 * 24 * 60 * 60_000,
  sessionMs: 30 * 24 * 60 * 60_000,
  auditRetentionMs: 400 * 24 * 60 * 60_000,
}

export const JOBS_DURATIONS = {
  fetchTimeoutMs: 30_000,
  fetchHeldMs: 60 * 60_000,
  fileRetentionMs: 7 * 24 * 60 * 60_000,
  jobRetentionMs: 365 * 24 * 60 * 60_000,
  resendAfterMs: 60_000,
  printingTimeoutMs: 15 * 60_000,
  idempotencyKeyMs: 24 * 60 * 60_000,
}

export const DEVICES_DURATIONS = {
  heartbeatSeconds: 20,
  streamMaxMs: 1_800_000,
  offlineGraceMs: 30_000,
  agentLostMs: 24 * 60 * 60_000,
  credentialMs: 30 * 24 * 60 * 60_000,
  printerStateMs: 10_000,
}

export const WEBHOOKS_DURATIONS = {
  eventRetentionMs: 30 * 24 * 60 * 60_000,
  webhookRetryGapsMs: [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000].map((seconds) => seconds * 1000),
  webhookTimeoutMs: 15_000,
  webhookLeaseMs: 45_000,
  webhookDisableAfterMs: 5 * 24 * 60 * 60_000,
}
