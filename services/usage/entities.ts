/** Entities for infrequent operations. `record-prints.ts` writes the ledger and its counts by SQL. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

/** The limits of an organization; null means unlimited. An organization without a row has no limits. */
export const PlanEntity = defineEntity({
  name: 'Plan',
  tableName: 'plan',
  properties: {
    organizationId: p.uuid().primary(),
    printsLimit: p.bigint('number').nullable(),
    computersLimit: p.bigint('number').nullable(),
    changedAt: p.datetime(),
  },
})

/** The prints of an organization in a calendar month. */
export const PeriodCountEntity = defineEntity({
  name: 'PeriodCount',
  tableName: 'period_count',
  properties: {
    organizationId: p.uuid().primary(),
    periodStart: p.datetime().primary(),
    prints: p.integer(),
  },
})

export type PlanRow = Pick<InferEntity<typeof PlanEntity>, 'printsLimit' | 'computersLimit'>
