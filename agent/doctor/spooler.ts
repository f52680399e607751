import type { SpoolerConfig } from '../config.ts'
import { listPrinters } from '../spoolers/open-spooler.ts'
import { withTimeout } from '../with-timeout.ts'
import { type Finding, ok, problem } from './finding.ts'

const TIMEOUT_MS = 15_000

/** @param config undefined if the computer is not enrolled; then its own spooler is checked. */
export async function examineSpooler(dataDir: string, config: SpoolerConfig | undefined): Promise<Finding[]> {
  const asked = listPrinters(config ?? { spooler: 'system' }, dataDir)
  const printers = await withTimeout(TIMEOUT_MS, asked, 'The spooler does not respond. Restart it, or this computer.')
  if (printers.length === 0) return [problem('spooler', 'The spooler has no printers. Add one in the system settings.')]
  const preset = printers.find(({ isDefault }) => isDefault)?.osName
  const asleep = printers.filter(({ state }) => state === 'offline').map(({ osName }) => osName)
  const rest = asleep.length > 0 ? ` Offline: ${asleep.join(', ')}.` : ''
  const named = preset === undefined ? 'none is the default' : `the default is ${preset}`
  return [ok('spooler', `The spooler responds and has ${printers.length} printers; ${named}.${rest}`)]
}
