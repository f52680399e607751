import { examine } from './examine.ts'
import { summarize } from './summarize.ts'

/**
 * `platen-server doctor`: asks all replicas what they see.
 *
 * @param options.isPublic also checks the public addresses.
 * @returns a line for each finding.
 * @throws StartupError with the lines if something is wrong.
 */
export async function diagnose(options: { isPublic: boolean }): Promise<string> {
  return summarize(await examine(process.env, options))
}
