import { type Entry, toEntry } from './entry.ts'

/** A share of the prints of a month. */
const NEAR = 0.8

export interface PlanUsage {
  used: number
  /** Undefined: unlimited. */
  limit: number | undefined
}

export function describePlan(plan: PlanUsage | undefined): Entry[] {
  if (plan?.limit === undefined || plan.used < plan.limit * NEAR) return []
  const { used, limit } = plan
  const text = `${used.toLocaleString('en')} of ${limit.toLocaleString('en')} prints of this month are used.`
  return [toEntry({ kind: 'plan', code: used >= limit ? 'plan-limit-reached' : 'plan-limit-near', text })]
}
