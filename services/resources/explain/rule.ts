import type { NextStep } from '../next-steps.ts'
import type { Facts } from './facts.ts'

/**
 * - `none`: nothing was printed, and nothing will be.
 * - `not_yet`: nothing was printed, but the job continues.
 * - `printing`, `printed`.
 * - `maybe`: unknown. Look for the paper before you print again.
 */
export const PAPER = ['none', 'not_yet', 'printing', 'printed', 'maybe'] as const
export type Paper = (typeof PAPER)[number]

/** The first rule that applies explains the job. */
export interface Rule {
  /** Never changes its meaning. Reference: docs/reference/print-jobs.md#explanation. */
  code: string
  /** A new job can wait for it, so `POST /v1/printjobs/validate` warns of it. */
  waits?: true
  applies(facts: Facts): boolean
  explain(facts: Facts): Cause
}

export interface Cause {
  paper: Paper
  /** Default: that of `paper`. */
  headline?: string
  /** At most two lines. Can have the placeholders of `fillIn`. */
  cause: string
  /** Since when the cause exists. Default: the last event of the job. */
  since?: Date | null
  /** When the cause ends without an action. */
  until?: Date | undefined
  nextSteps: readonly NextStep[]
  /** What the job waits for, in a sentence about the past: "which was offline". Only of rules about waiting jobs. */
  waitedFor?: string
}
