import type { SpoolerConfig } from '../config.ts'
import { listPrinters } from '../spoolers/open-spooler.ts'
import { withTimeout } from '../with-timeout.ts'
import { type Finding, ok, problem } from './finding.ts'

const TIMEOUT_MS = 15_000

/** @param config undefined: not enrolled yet; then the spooler of this computer. */
export async function examineSpooler(dataDir: string, config: SpoolerConfig | undefined): Promise<Finding[]> {
  const asked = listPrinters(config ?? { spooler: 'system' }, dataDir)
  const printers = await withTimeout(TIMEOUT_MS, asked, 'The spooler does not answer: restart it, or this computer.')
  if (printers.length === 0)
    return [problem('spooler', 'The spooler has no printers: add one in the settings of this computer.')]
  const preset = printers.find(({ isDefault }) => isDefault)?.osName
  const asleep = printers.filter(({ state }) => state === 'offline').map(({ osName }) => osName)
  const rest = asleep.length > 0 ? ` Offline: ${asleep.join(', ')}.` : ''
  const named = preset === undefined ? 'none is the default' : `the default is ${preset}`
  return [ok('spooler', `The spooler answers and has ${printers.length} printers; ${named}.${rest}`)]
}
