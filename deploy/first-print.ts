/** The command that prints the first job. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Credentials } from './bootstrap.ts'
import { StartupError } from './startup-error.ts'

const PRINTER = 'Test A4 Laser'
const PRINTER_TIMEOUT_MS = 30_000

/** Less frequent than the rate limit of a key, 20 requests per second. */
const POLL_MS = 250

const PRINTERS = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) })

/** @returns a `curl` command that works in any directory. Its search for the printer creates the test computer. */
export async function firstPrint(credentials: Credentials, stopping: AbortSignal): Promise<string> {
  const { baseUrl, testKey } = credentials
  const body = {
    printerId: await findPrinter(credentials, stopping),
    title: 'Hello from Platen',
    contentType: 'pdf_base64',
    content: samplePdf('Hello from Platen').toString('base64'),
  }
  // This JSON contains no single quote and can therefore be quoted by them.
  return [
    `curl ${baseUrl}/v1/printjobs`,
    `-H 'Authorization: Bearer ${testKey}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' ')
}

async function findPrinter({ baseUrl, testKey }: Credentials, stopping: AbortSignal): Promise<string> {
  const deadline = performance.now() + PRINTER_TIMEOUT_MS
  for (;;) {
    const response = await fetch(`${baseUrl}/v1/printers?limit=100`, {
      headers: { authorization: `Bearer ${testKey}` },
      signal: stopping,
    })
    const printer = response.ok && PRINTERS.parse(await response.json()).data.find(({ name }) => name === PRINTER)
    if (printer) return printer.id
    if (performance.now() > deadline)
      throw new StartupError(
        `The test computer has no printers (GET /v1/printers responds with ${response.status}). See logs/platen.log in the data directory.`,
      )
    await sleep(POLL_MS, undefined, { signal: stopping })
  }
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
