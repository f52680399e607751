/** Rules, problems and incidents of alerts. Reference: docs/alerts.md. */
import type { AlertKindName } from '@platen/resources/alert-kinds.ts'

/**
 * What a member wants to be notified about. Without a computer and a printer: all devices or endpoints of the
 * organization and mode.
 */
export interface Rule {
  id: string
  organizationId: string
  mode: string
  userId: string
  kind: AlertKindName
  computerId: string | null
  printerId: string | null
  /** How long a problem lasts before its mail. 0 for kinds without a duration. */
  afterMinutes: number
  /** Earlier problems are not reported. Null: all are. */
  problemsSince: Date | null
}

/** The device or webhook endpoint with a problem, as rules select it. */
export interface Device {
  organizationId: string
  mode: string
  kind: AlertKindName
  /** The id of the printer, of the computer, or of the endpoint. */
  resourceId: string
  /** The id of the computer. An endpoint has its own id here. */
  computerId: string
}

/** What is wrong with a device now. */
export interface Problem extends Device {
  /** The oldest job that waits. */
  jobId: string | null
  /** Null: the first evaluation that reads the problem is its start. */
  since: Date | null
  facts: Facts
}

export interface Facts {
  /** Names of devices. Empty for problems of jobs. */
  computer: string
  printer: string
  /** Host and port of an endpoint: its path and its query often contain tokens. */
  endpoint?: string
  /** `Problem.detail` of `alert-texts.ts`. Of a printer: its state for people. Of an agent: its version. */
  detail: string
  /** How many jobs failed. */
  jobs: number
}

/** A job that failed, or was printed. */
export interface EndedJob extends Device {
  kind: 'job_failed'
  jobId: string
  isFailed: boolean
  at: Date
}

/** A problem of a device for one member. At most one mail is about it, and one about its end. */
export interface Incident extends Device {
  id: string
  userId: string
  jobId: string | null
  facts: Facts
  since: Date
  /** The time of the next mail. Null: none is due. */
  dueAt: Date | null
  notifiedAt: Date | null
  solvedAt: Date | null
}

/** A mail waits so long for more problems, because one cause often stops many devices within seconds. */
export const COLLECT_MS = 30_000

/** The lock of the transactions that change incidents, so that a mail and its incidents change together. */
export const ALERTS_LOCK = 'platen alerts'

/** SQL: the columns of an `Incident`. */
export const INCIDENT_COLUMNS = `
id, organization_id AS "organizationId", mode, user_id AS "userId", kind, resource_id AS "resourceId", computer_id AS "computerId",
job_id AS "jobId", facts, since, due_at AS "dueAt", notified_at AS "notifiedAt", solved_at AS "solvedAt"`
