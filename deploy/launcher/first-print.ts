/** The commands that print the first job. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { Credentials } from './bootstrap.ts'
import { connectServices } from './connect-services.ts'
import { type Installation, toOpsUrl } from './services.ts'
import { StartupError } from './startup-error.ts'

export const PRINTER = 'Test A4 Laser'

export interface FirstPrint {
  /** Prints from any working directory. */
  curl: string
  /** Logs in and prints, in a clone. `echo` is part of the shell, so the key is not in the list of processes. */
  platen: string
}

/** Enables the virtual printers, and writes a PDF into the data directory, which the commands print. */
export async function firstPrint(installation: Installation, credentials: Credentials): Promise<FirstPrint> {
  const { baseUrl, testKey, organizationId } = credentials
  const file = join(installation.data.path, 'hello.pdf')
  await writeFile(file, samplePdf('Hello from Platen'))
  const printerId = await preparePrinter(installation, organizationId)
  return {
    curl: `curl -u ${testKey}: ${baseUrl}/v1/printjobs -F printerId=${printerId} -F title=Hello -F "file=@${file}"`,
    platen: `echo ${testKey} | npx platen login --server ${baseUrl} --key-file -\nnpx platen print "${file}" -d "${PRINTER}" --wait`,
  }
}

/** The first list creates the test computer with its printers. A later start enables those that were disabled. */
async function preparePrinter(installation: Installation, organizationId: string): Promise<string> {
  const { operatorSecret: secret } = installation.secrets
  const devices = connectServices({ secret, getUrl: () => toOpsUrl(installation) })(DevicesService)
  const { printers } = await devices.listPrinters({ organizationId, mode: 'test', page: { limit: 100 } })
  const disabled = printers.filter(({ enabled }) => !enabled)
  for (const { id: printerId } of disabled)
    await devices.updatePrinter({ organizationId, mode: 'test', printerId, enabled: true })
  const printer = printers.find(({ name }) => name === PRINTER)
  if (!printer) throw new StartupError(`The test computer has no printer ${PRINTER}. See platen.log.`)
  return printer.id
}

/** One A4 page with one line of text. */
export function samplePdf(text: string): Buffer {
  const drawing = `BT /F1 24 Tf 72 742 Td (${text}) Tj ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${drawing.length}>>stream\n${drawing}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let pdf = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = pdf.length
    pdf += `${index + 1} 0 obj${object}endobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const size = objects.length + 1
  const xref = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`
  return Buffer.from(`${pdf}${xref}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${pdf.length}\n%%EOF\n`, 'latin1')
}
