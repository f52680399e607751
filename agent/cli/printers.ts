/**
 * `platen-agent printers`: lists the printers of this computer, or accepts another key of one. Does not contact the
 * service.
 */
import { readSpoolerConfig } from '../config.ts'
import { listPrinters, trustPrinter } from '../spoolers/open-spooler.ts'
import type { Io } from './io.ts'
import { type Options, UsageError } from './options.ts'
import { formatTable, print } from './output.ts'

export async function printers({ dataDir, json, trust }: Options, { stdout }: Io): Promise<number> {
  const config = await readSpoolerConfig(dataDir)
  if (trust !== undefined) {
    if (!trustPrinter(config, dataDir, trust))
      throw new UsageError(
        `No key of a printer "${trust}" is stored. Use the name of an ipps: printer that the agent has connected to.`,
      )
    return await print(`The agent accepts the key that "${trust}" has at its next connection.`, stdout)
  }
  const list = await listPrinters(config, dataDir)
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
