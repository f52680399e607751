/** Limits, durations and sizes of the reference (`docs/reference/limits.md`): each stands here once, for code, OpenAPI document and tests. */

/** 25 MB. */
export const DOCUMENT_MAX_BYTES = 26_214_400
/** Of all bodies but that of a new print job. */
export const BODY_MAX_BYTES = 64 * 1024

export const PRINT_JOB_LIMITS = {
  titleLengthMax: 255,
  sourceLengthMax: 255,
  qty: { min: 1, max: 100, default: 1 },
  expireAfterSeconds: { min: 60, max: 604_800, default: 86_400 },
} as const

export const PRINTER_LIMITS = {
  displayNameLengthMax: 255,
  remarksLengthMax: 2000,
  customPapersMax: 50,
  customPaperNameLengthMax: 64,
  /** Tenths of a millimetre: what the contract between the services can hold. */
  customPaperSide: { min: 1, max: 2_147_483_647 },
} as const

export const ENROLLMENT_LIMITS = {
  uses: { min: 1, max: 1000, default: 1 },
  expiresInSeconds: { min: 60, max: 604_800, default: 900 },
} as const

export const WEBHOOK_LIMITS = {
  urlLengthMax: 2048,
  descriptionLengthMax: 256,
  graceSeconds: { min: 0, max: 604_800, default: 86_400 },
} as const

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
export const EVENT_WAIT_SECONDS = { min: 1, max: 30 } as const
export const TEST_JOBS_PER_DAY = 500
/** Of one key. */
export const REQUESTS_PER_SECOND = 20
