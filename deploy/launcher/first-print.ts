/** The commands that print the first job. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DevicesService, type Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { makeTestPage } from '@platen/resources/test-documents/test-page.ts'
import type { Credentials } from './bootstrap.ts'
import { connectServices } from './connect-services.ts'
import { type Installation, toOpsUrl } from './services.ts'
import { StartupError } from './startup-error.ts'

export const PRINTER = 'Test A4 Laser'

export interface FirstPrint {
  /** Prints from any working directory. */
  curl: string
  /**
   * Logs in and prints, in a clone: `--no` asks no registry elsewhere. `echo` is part of the shell, so the key is not
   * in the list of processes.
   */
  platen: string
}

/** Enables the virtual printers, and writes a PDF into the data directory, which the commands print. */
export async function firstPrint(installation: Installation, credentials: Credentials): Promise<FirstPrint> {
  const { baseUrl, testKey, organizationId } = credentials
  const file = join(installation.data.path, 'hello.pdf')
  const { id: printerId, number } = await preparePrinter(installation, organizationId)
  const subject = { printer: PRINTER, printerNumber: number, at: new Date(), link: `${baseUrl}/app/go/${printerId}` }
  await writeFile(file, makeTestPage({ heading: 'Hello from Platen', ...subject }))
  return {
    curl: `curl -u ${testKey}: ${baseUrl}/v1/printjobs -F printerId=${printerId} -F title=Hello -F "file=@${file}"`,
    platen: `echo ${testKey} | npx --no platen login --server ${baseUrl} --key-file -\nnpx --no platen print "${file}" -d "${PRINTER}" --wait`,
  }
}

/** The first list creates the test computer with its printers. A later start enables those that were disabled. */
async function preparePrinter(installation: Installation, organizationId: string): Promise<Printer> {
  const { operatorSecret: secret } = installation.secrets
  const devices = connectServices({ secret, getUrl: () => toOpsUrl(installation) })(DevicesService)
  const { printers } = await devices.listPrinters({ organizationId, mode: 'test', page: { limit: 100 } })
  const disabled = printers.filter(({ enabled }) => !enabled)
  for (const { id: printerId } of disabled)
    await devices.updatePrinter({ organizationId, mode: 'test', printerId, enabled: true })
  const printer = printers.find(({ name }) => name === PRINTER)
  if (!printer) throw new StartupError(`The test computer has no printer ${PRINTER}. See platen.log.`)
  return printer
}
