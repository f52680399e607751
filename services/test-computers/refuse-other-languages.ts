/**
 * Lets test mode find what real printers would print as unreadable text, or not at all. Reference:
 * docs/reference/test-mode.md#jobs.
 */
import { open } from 'node:fs/promises'
import { type Spooler, SpoolerRefusal, type Submission } from '@platen/agent/spoolers/spooler.ts'
import { FORMAT_START_BYTES, recognize } from '@platen/resources/document-format.ts'

const LASER = ['PCL', 'PostScript', 'PDF', 'plain text']

/** What each virtual printer prints of recognized raw data. */
const LANGUAGES: Record<string, readonly string[]> = {
  'Test A4 Laser': LASER,
  'Test Letter Color': LASER,
  'Test Receipt 80mm': ['ESC/POS', 'plain text'],
  'Test Label 4x6': ['ZPL'],
}

/**
 * @returns a spooler whose `submitHeld` refuses raw data that is recognized as something that the printer does not
 *   print.
 */
export function refuseOtherLanguages(spooler: Spooler): Spooler {
  return {
    ...spooler,
    async submitHeld(submission) {
      if (submission.contentType.startsWith('raw_')) await requireOwnLanguage(submission)
      return await spooler.submitHeld(submission)
    },
  }
}

async function requireOwnLanguage({ printerOsName, file }: Submission): Promise<void> {
  const { name } = recognize(await readStart(file))
  const own = LANGUAGES[printerOsName]
  if (name === undefined || !own || own.includes(name)) return
  throw new SpoolerRefusal(
    `The printer ${printerOsName} prints ${own.join(', ')}, but the raw data is ${name}. A real printer would print it as unreadable text, or nothing.`,
    ['document-format-not-supported'],
  )
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FORMAT_START_BYTES), 0, FORMAT_START_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
