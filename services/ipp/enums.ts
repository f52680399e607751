/** Enums that the agent reads, by their keywords (RFC 8011, sections 5.3.7 and 5.4.11). */

export const JOB_STATES = {
  3: 'pending',
  4: 'pending-held',
  5: 'processing',
  6: 'processing-stopped',
  7: 'canceled',
  8: 'aborted',
  9: 'completed',
} as const

export type IppJobState = (typeof JOB_STATES)[keyof typeof JOB_STATES]

export const PRINTER_STATES = { 3: 'idle', 4: 'processing', 5: 'stopped' } as const
