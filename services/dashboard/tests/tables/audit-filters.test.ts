import { expect, test } from 'vitest'
import { parseAuditFilters } from '../../src/features/audit/audit-filters.ts'

const ACTOR = '019a5c1e-7d11-7e55-8a42-94c1b0d7f602'

test('filters of the audit log that are invalid are ignored', () => {
  const filters = { action: 'ofALaterVersion', actor: ACTOR, from: '2028-02-29', to: '2028-02-29' }
  expect(parseAuditFilters({ ...filters, other: 1 })).toEqual(filters)
  expect(parseAuditFilters({ action: '', actor: 'ann', from: 'soon', to: '2027-02-29' })).toEqual({})
  expect(parseAuditFilters({ action: 'a'.repeat(101), from: 20_280_229, to: '2028-2-9' })).toEqual({})
  expect(parseAuditFilters({ action: 'a'.repeat(100) })).toEqual({ action: 'a'.repeat(100) })
})

test('a last day before the first one is ignored', () => {
  expect(parseAuditFilters({ from: '2028-03-01', to: '2028-02-29' })).toEqual({ from: '2028-03-01' })
  expect(parseAuditFilters({ from: 'soon', to: '2028-02-29' })).toEqual({ to: '2028-02-29' })
})
