/** What one look at one thing has found. */
export interface Finding {
  /** What was looked at, in a word or two. */
  what: string
  isOk: boolean
  /** One plain sentence; of a problem, also what to do. */
  says: string
}

export const ok = (what: string, says: string): Finding => ({ what, isOk: true, says })
export const problem = (what: string, says: string): Finding => ({ what, isOk: false, says })

/** However a look fails, it is a finding. */
export async function runCheck(what: string, find: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await find()
  } catch (error) {
    return [problem(what, `${error instanceof Error ? error.message : String(error)}`)]
  }
}

/** One line of `platen-agent doctor`. */
export function formatFinding({ what, isOk: isWell, says }: Finding): string {
  return `${isWell ? 'ok     ' : 'PROBLEM'}  ${what.padEnd(9)}  ${says}`
}
