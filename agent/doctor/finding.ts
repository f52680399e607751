/** The result of one check. */
export interface Finding {
  /** The subject of the check, one or two words. */
  what: string
  isOk: boolean
  /** The result; for a problem, also how to fix it. */
  says: string
}

export const ok = (what: string, says: string): Finding => ({ what, isOk: true, says })
export const problem = (what: string, says: string): Finding => ({ what, isOk: false, says })

/** Converts an error of a check to a finding. */
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
