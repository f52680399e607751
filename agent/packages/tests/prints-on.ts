/** What the installed program prints on in tests. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface PrintsOn {
  /** Beside server and token. */
  enrolment: string[]
  printer: string
  /** Of the agent. */
  env: NodeJS.ProcessEnv
  /** Whatever must run meanwhile; ends with the test. `printed` reads every document that came out. */
  start(): Promise<{ printed(dataDir: string): Promise<Buffer[]> }>
}

export const PRINTS_ON: PrintsOn = {
  enrolment: ['--spooler', 'virtual'],
  printer: 'Test A4 Laser',
  env: { PLATEN_VIRTUAL_PRINT_MS: '20' },
  start: async () => ({ printed: documentsOfVirtualPrinters }),
}

async function documentsOfVirtualPrinters(dataDir: string): Promise<Buffer[]> {
  const files = await readdir(join(dataDir, 'virtual'), { recursive: true })
  return await Promise.all(
    files.filter((name) => name.endsWith('.pdf')).map((name) => readFile(join(dataDir, 'virtual', name))),
  )
}
