/** The form of the contract's entries: one testable fact each, with the tests that prove it or with what is missing. */
import type { Source } from './specification.ts'

export interface Entry {
  id: string
  source: Source
  /** One sentence. */
  rule: string
  /** "<test file>: <full title>", as `collected-tests.ts` returns them. Together they prove the whole rule. */
  provenBy?: string[]
  /** What is missing. */
  gap?: string
}

interface Gap {
  gap: string
}

export const NOT_BUILT: Gap = { gap: 'not built yet' }
export const NOT_TESTED: Gap = { gap: 'built, not tested' }
/** For what is built or tested in part. */
export const missing = (what: string): Gap => ({ gap: what })

type Row = [id: string, rule: string, gap: Gap] | [id: string, rule: string, proof: string, ...more: string[]]

export function entries(source: Source, rows: Row[]): Entry[] {
  return rows.map(([id, rule, first, ...more]) =>
    typeof first === 'string' ? { id, source, rule, provenBy: [first, ...more] } : { id, source, rule, ...first },
  )
}
