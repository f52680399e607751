/** The result of one check. */
export interface Finding {
  /** The subject of the check in one or two words. */
  subject: string
  isOk: boolean
  /** The result; for a problem, also how to fix it. */
  result: string
}

export const ok = (subject: string, result: string): Finding => ({ subject, isOk: true, result })
export const problem = (subject: string, result: string): Finding => ({ subject, isOk: false, result })

/** Converts an error of a check to a finding. */
export async function runCheck(subject: string, find: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await find()
  } catch (error) {
    return [problem(subject, `${error instanceof Error ? error.message : String(error)}`)]
  }
}

/** One line of `platen-agent doctor`. */
export function formatFinding({ subject, isOk, result }: Finding): string {
  return `${isOk ? 'ok     ' : 'PROBLEM'}  ${subject.padEnd(9)}  ${result}`
}
