/** The conditions of SQL that no test can notice, and that `power --sql` does not try. */
import REASONS from './kept.json' with { type: 'json' }
import type { Mutant } from './mark-statements.ts'

/** The reasons by file, then by what would be taken away, with its position if the file has several. */
export const KEPT: Record<string, Record<string, string>> = REASONS

/** @param key of a file of `KEPT`. */
export const hasKey = ({ name, removed }: Pick<Mutant, 'name' | 'removed'>, file: string, key: string): boolean =>
  key === removed || name === `${file} ${key}`

export const isKept = (mutant: Pick<Mutant, 'name' | 'removed'>, file: string): boolean =>
  Object.keys(KEPT[file] ?? {}).some((key) => hasKey(mutant, file, key))
