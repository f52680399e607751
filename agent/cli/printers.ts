/** `platen-agent printers`: lists the printers of this computer. Does not contact the service. */
import { readSpoolerConfig } from '../config.ts'
import { listPrinters } from '../spoolers/open-spooler.ts'
import type { Io } from './io.ts'
import type { Options } from './options.ts'
import { formatTable, print } from './output.ts'

export async function printers({ dataDir, json }: Options, { stdout }: Io): Promise<number> {
  const list = await listPrinters(await readSpoolerConfig(dataDir), dataDir)
  if (json) return await print(JSON.stringify(list, null, 2), stdout)
  if (list.length === 0) return await print('This computer has no printers.', stdout)
  const rows = list.map((printer) => [
    printer.osName ?? '',
    `${printer.state}${printer.stateDetail ? ` (${printer.stateDetail})` : ''}`,
    printer.isDefault ? 'default' : '',
    `${printer.capabilities?.papers?.length ?? 0} papers`,
    printer.description ?? '',
  ])
  return await print(formatTable([['NAME', 'STATE', '', 'PAPERS', 'DESCRIPTION'], ...rows]), stdout)
}
