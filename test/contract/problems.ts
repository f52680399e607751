import type { Entry } from './entry.ts'

/** What is wrong with the list, one sentence each. */
export function problemsIn(entries: Entry[], existingTests: ReadonlySet<string>, enumeratedIds: string[]): string[] {
  const ids = entries.map(({ id }) => id)
  const known = new Set(ids)
  return [
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id}: the id is used twice`),
    ...entries.flatMap((entry) => problemsOf(entry, existingTests)),
    ...enumeratedIds.filter((id) => !known.has(id)).map((id) => `${id}: is enumerated and has no entry`),
  ]
}

function problemsOf({ id, rule, provenBy, gap }: Entry, existingTests: ReadonlySet<string>): string[] {
  const problems: string[] = []
  if (rule.trim() === '') problems.push('has no rule')
  if (provenBy?.length && gap !== undefined) problems.push('has both a proof and a gap')
  if (!provenBy?.length && !gap) problems.push('has neither a proof nor a gap')
  for (const test of provenBy ?? []) if (!existingTests.has(test)) problems.push(`there is no test "${test}"`)
  return problems.map((problem) => `${id}: ${problem}`)
}
