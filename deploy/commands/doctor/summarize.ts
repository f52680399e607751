import { StartupError } from '../../launcher/startup-error.ts'
import { type Finding, render } from './finding.ts'

/**
 * Prints the findings.
 *
 * @returns the last line. @throws StartupError if something is wrong.
 */
export function summarize(findings: Finding[]): string {
  for (const finding of findings) console.log(render(finding))
  const problems = findings.filter(({ remedy }) => remedy !== undefined).length
  if (problems > 0) throw new StartupError(problems === 1 ? '1 problem was found.' : `${problems} problems were found.`)
  return 'No problem was found.'
}
