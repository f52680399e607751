/** `platen-agent printers`: what the spooler of this computer has to print on. Needs no service. */
import { type AgentConfig, configPathIn, NotEnrolled, readConfig } from '../config.ts'
import { askPrinters } from '../spoolers/open-spooler.ts'
import type { Io } from './io.ts'
import type { Options } from './options.ts'
import { say, table } from './output.ts'

export async function printers({ dataDir, json }: Options, { stdout }: Io): Promise<number> {
  const found = await listPrinters(dataDir, await readSpoolerConfig(dataDir))
  if (json) return await say(JSON.stringify(found, null, 2), stdout)
  if (found.length === 0) return await say('This computer has no printers.', stdout)
  const rows = found.map((printer) => [
    printer.osName ?? '',
    `${printer.state}${printer.stateDetail ? ` (${printer.stateDetail})` : ''}`,
    printer.isDefault ? 'default' : '',
    `${printer.capabilities?.papers?.length ?? 0} papers`,
    printer.description ?? '',
  ])
  return await say(table([['NAME', 'STATE', '', 'PAPERS', 'DESCRIPTION'], ...rows]), stdout)
}

type Spooling = Omit<AgentConfig, 'agentUrl' | 'credential'>

/** @throws Error when the spooler cannot be asked. */
export function listPrinters(dataDir: string, config: Spooling) {
  return askPrinters({ agentUrl: '', credential: '', ...config }, dataDir)
}

/** Of a computer that is not enrolled yet: its own spooler. */
export async function readSpoolerConfig(dataDir: string): Promise<Spooling> {
  return await readConfig(configPathIn(dataDir)).catch((error: unknown) => {
    if (error instanceof NotEnrolled) return { spooler: 'system' } as const
    throw error
  })
}
