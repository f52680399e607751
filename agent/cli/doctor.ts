/** `platen-agent doctor`: prints one line per check. Exit code 1 if a check failed. */
import { examine } from '../doctor/examine.ts'
import { formatFinding } from '../doctor/finding.ts'
import { EXIT } from './exit-codes.ts'
import type { Io } from './io.ts'
import type { Options } from './options.ts'
import { print } from './output.ts'

export async function doctor({ dataDir }: Options, { stdout }: Io): Promise<number> {
  let problems = 0
  for await (const finding of examine(dataDir)) {
    if (!finding.isOk) problems++
    await print(formatFinding(finding), stdout)
  }
  await print(problems === 0 ? 'No problems found.' : `${problems} ${problems === 1 ? 'problem' : 'problems'}.`, stdout)
  return problems === 0 ? EXIT.ok : EXIT.failed
}
