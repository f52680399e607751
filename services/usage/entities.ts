/** The rows that the rare paths read and write. The ledger and its counts are written by SQL: `record-prints.ts`. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

/** What an operator set for an organization; one without a row has no limits. A limit of null is none. */
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

export type PlanRow = Pick<InferEntity<typeof PlanEntity>, 'printsLimit' | 'computersLimit'>
