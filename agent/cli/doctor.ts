/** `platen-agent doctor`: a line for each thing looked at. Exit code 1 when something is wrong. */
import { examine } from '../doctor/examine.ts'
import { formatFinding } from '../doctor/finding.ts'
import { EXIT } from './exit-codes.ts'
import type { Io } from './io.ts'
import type { Options } from './options.ts'
import { say } from './output.ts'

export async function doctor({ dataDir }: Options, { stdout }: Io): Promise<number> {
  let problems = 0
  for await (const finding of examine(dataDir)) {
    if (!finding.isWell) problems++
    await say(formatFinding(finding), stdout)
  }
  await say(problems === 0 ? 'Nothing is wrong.' : `${problems} ${problems === 1 ? 'problem' : 'problems'}.`, stdout)
  return problems === 0 ? EXIT.ok : EXIT.failed
}
