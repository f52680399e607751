/**
 * What one organization can have or do, so that it leaves the installation to others. docs/reference/limits.md#budgets
 * has the same rows, which a test compares. Rates are of one replica, unless all replicas count together.
 */

type BudgetCode = 'quota_exceeded' | 'rate_limited' | 'limit_reached'

interface Refusal {
  code: BudgetCode
  message: (max: string) => string
  retryAfterSeconds?: number
}

export interface Budget {
  /** A row of the page. */
  what: string
  max: number
  /** The environment variable of an operator, and its largest value. */
  setting?: { name: string; max: number }
  /** What happens beyond, if it is not refused. */
  beyond?: string
  refusal?: Refusal
  /** Where it is enforced, below `services`. */
  in: string
}

const GIBIBYTE = 1024 ** 3

export const BUDGETS = {
  storedBytes: {
    what: 'bytes of [stored documents](#stored-documents)',
    max: 20 * GIBIBYTE,
    setting: { name: 'PLATEN_STORED_BYTES_PER_ORGANIZATION', max: 2 ** 50 },
    refusal: {
      code: 'quota_exceeded',
      message: (max) =>
        `The organization has the limit of ${max} bytes of stored documents. The oldest are deleted when their retention time ends.`,
    },
    in: 'jobs/limits/quotas.ts',
  },
  jobsPerDay: {
    what: '[live jobs](#live-jobs-per-day) created within 24 hours',
    max: 200_000,
    setting: { name: 'PLATEN_LIVE_JOBS_PER_DAY', max: 1_000_000_000 },
    refusal: {
      code: 'rate_limited',
      message: (max) => `The organization has created ${max} live jobs within 24 hours, which is its limit.`,
      retryAfterSeconds: 60,
    },
    in: 'jobs/limits/quotas.ts',
  },
  unfinishedJobs: {
    what: '[unfinished jobs](#unfinished-jobs) in each mode',
    max: 100_000,
    setting: { name: 'PLATEN_UNFINISHED_JOBS_PER_ORGANIZATION', max: 10_000_000 },
    refusal: {
      code: 'rate_limited',
      message: (max) =>
        `The organization has the limit of ${max} unfinished jobs in this mode. Wait until jobs end, or cancel some.`,
      retryAfterSeconds: 60,
    },
    in: 'jobs/limits/quotas.ts',
  },
  computers: {
    what: '[computers](agents.md#enrollment.computers.limit) with live agents',
    max: 1_000,
    setting: { name: 'PLATEN_COMPUTERS_PER_ORGANIZATION', max: 1_000_000 },
    refusal: {
      code: 'quota_exceeded',
      message: (max) => `The organization has the limit of ${max} computers. Delete a computer first.`,
    },
    in: 'devices/rpc/enroll.ts',
  },
  printers: {
    what: '[printers](printers.md#printers.limit.5000) in each mode',
    max: 5_000,
    beyond: 'New printers are left out.',
    in: 'devices/agents/store-printer-report.ts',
  },
  destinations: {
    what: '[destinations](destinations.md#destinations.limit.500) in each mode',
    max: 500,
    refusal: {
      code: 'limit_reached',
      message: (max) => `An organization has at most ${max} destinations in each mode. Delete one first.`,
    },
    in: 'devices/rpc/create-destination.ts',
  },
  agentMessages: {
    what: 'messages of [agents](agents.md#bounds) a second',
    max: 1_000,
    beyond: 'They are read later.',
    in: 'devices/agents/intake.ts',
  },
  printerEvents: {
    what: 'events of printers a second, after 10,000',
    max: 100,
    beyond: 'Reports are stored later.',
    in: 'devices/agents/printer-reports.ts',
  },
  keyRequests: {
    what: '[requests](#request-rate) of all API keys a second, of all replicas',
    max: 200,
    setting: { name: 'PLATEN_ORGANIZATION_RATE_LIMIT_PER_SECOND', max: 10_000 },
    beyond: '`429 rate_limited`',
    in: 'gateway/rate-limit/limit-rate.ts',
  },
  sessionRequests: {
    what: '[requests](#request-rate) of all sessions a second, of all replicas',
    max: 200,
    setting: { name: 'PLATEN_ORGANIZATION_RATE_LIMIT_PER_SECOND', max: 10_000 },
    beyond: '`429 rate_limited`',
    in: 'gateway/rate-limit/limit-rate.ts',
  },
  printAccessRequests: {
    what: '[requests](#request-rate) of all print accesses a second, at each replica',
    max: 300,
    beyond: 'They get `server-error-busy`.',
    in: 'gateway/ipp/serve-ipp.ts',
  },
  sources: {
    what: '[sources](statistics.md#statistics.sources) counted in a month of each mode',
    max: 1_000,
    beyond: 'They are counted as `other`.',
    in: 'usage/timers/add-recent-counts.ts',
  },
  members: {
    what: '[members](sessions.md#organization)',
    max: 500,
    refusal: {
      code: 'limit_reached',
      message: (max) => `An organization has at most ${max} members. Remove one first.`,
    },
    in: 'accounts/create-membership.ts',
  },
  invitations: {
    what: '[open invitations](sessions.md#invitations)',
    max: 100,
    refusal: {
      code: 'limit_reached',
      message: (max) => `An organization has at most ${max} open invitations. Withdraw one first.`,
    },
    in: 'accounts/rpc/create-invitation.ts',
  },
  firstInvitations: {
    what: '[invitations](sessions.md#invitations) in a day, until a second person is a member',
    max: 20,
    refusal: {
      code: 'limit_reached',
      message: (max) =>
        `An organization with one member sends at most ${max} invitations a day. Wait until one of them is accepted, or until tomorrow.`,
    },
    in: 'accounts/rpc/create-invitation.ts',
  },
  signInMails: {
    what: '[e-mails of sign-ins](sessions.md#limits) in an hour',
    max: 100,
    beyond: 'They are not sent.',
    in: 'accounts/sign-in/due-mails.ts',
  },
  alertRules: {
    what: '[alert rules](../alerts.md#limits) of all members',
    max: 2_000,
    refusal: {
      code: 'limit_reached',
      message: (max) => `An organization has at most ${max} alert rules. Delete one first.`,
    },
    in: 'webhooks/rpc/create-alert-rule.ts',
  },
  alertMails: {
    what: '[e-mails of alerts](../alerts.md#limits) in an hour',
    max: 60,
    beyond: 'Their problems are in later e-mails.',
    in: 'webhooks/alerts/queue-mail.ts',
  },
  apiKeys: {
    what: '[valid API keys](authentication.md#api-keys)',
    max: 500,
    refusal: {
      code: 'limit_reached',
      message: (max) => `An organization has at most ${max} valid API keys. Revoke one first.`,
    },
    in: 'accounts/rpc/create-api-key.ts',
  },
  printAccesses: {
    what: '[valid print accesses](print-access.md)',
    max: 500,
    refusal: {
      code: 'limit_reached',
      message: (max) => `An organization has at most ${max} print accesses. Revoke one first.`,
    },
    in: 'accounts/rpc/create-print-access.ts',
  },
} as const satisfies Record<string, Budget>
