/** Inspects each PDF before a spooler gets it. */
import { rm } from 'node:fs/promises'
import { inspectPdf } from './pdf/inspections.ts'
import type { Spooler, Submission } from './spooler.ts'

/**
 * For all spoolers that print. A PDF whose boxes the printer would read otherwise than viewers is replaced by a repaired copy; any other PDF is
 * submitted unchanged. A PDF that exceeds the limits of the inspection is submitted without `pdf`, and the driver decides about it.
 *
 * @returns a spooler whose `submitHeld` also throws the SpoolerRefusal of `inspectPdf`.
 */
export function inspectPdfs(spooler: Spooler): Spooler {
  async function submitInspected(submission: Submission) {
    const repairedFile = `${submission.file}.repaired`
    try {
      const {
        info: pdf,
        isRepaired,
        warnings: documentWarnings = [],
      } = (await inspectPdf(submission.file, repairedFile)) ?? {}
      const file = isRepaired ? repairedFile : submission.file
      const submitted = await spooler.submitHeld({ ...submission, file, ...(pdf && { pdf }) })
      return { ...submitted, documentWarnings: [...documentWarnings, ...(submitted.documentWarnings ?? [])] }
    } finally {
      await rm(repairedFile, { force: true })
    }
  }

  return {
    ...spooler,
    submitHeld: (submission) =>
      submission.contentType.startsWith('pdf_') ? submitInspected(submission) : spooler.submitHeld(submission),
  }
}
