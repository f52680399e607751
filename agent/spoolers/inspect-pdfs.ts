/** Inspects each PDF before a spooler gets it. */
import { rm } from 'node:fs/promises'
import { ignoredOption } from './ignored-option.ts'
import { parseCrop } from './pdf/crop.ts'
import { inspectPdf } from './pdf/inspections.ts'
import type { Spooler, Submission } from './spooler.ts'

/**
 * For all spoolers that print. A PDF whose boxes the printer would read otherwise than viewers, or whose pages the
 * option `crop` cuts, is replaced by a copy; any other PDF is submitted unchanged. A PDF that exceeds the limits of the
 * inspection is submitted without `pdf`, and the driver decides about it.
 *
 * @returns a spooler whose `submitHeld` also throws the SpoolerRefusal of `inspectPdf`. It gets no option `crop`.
 */
export function inspectPdfs(spooler: Spooler): Spooler {
  async function submitInspected({ options: { crop: value = null, ...options }, ...submission }: Submission) {
    const repairedFile = `${submission.file}.repaired`
    const crop = value === null ? undefined : parseCrop(value)
    try {
      const inspection = await inspectPdf(submission.file, repairedFile, crop)
      const { info: pdf, isRepaired, warnings: documentWarnings = [] } = inspection ?? {}
      const file = isRepaired ? repairedFile : submission.file
      const submitted = await spooler.submitHeld({ ...submission, options, file, ...(pdf && { pdf }) })
      const ignored = value !== null && (crop ? (inspection ?? TOO_LARGE).cropIgnored : 'it is not a box')
      return {
        ...submitted,
        warnings: [...(ignored ? [ignoredOption('crop', value, ignored)] : []), ...submitted.warnings],
        documentWarnings: [...documentWarnings, ...(submitted.documentWarnings ?? [])],
      }
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

const TOO_LARGE = { cropIgnored: 'the document needs too much memory or time' }
