import type { Job } from '../../../api/resources.ts'
import type { CsvColumns } from '../../../ui/download.ts'

/** @returns columns of a CSV file. */
export const toColumns = (printerName: (id: string) => string | undefined): CsvColumns<Job> => ({
  id: ({ id }) => id,
  state: ({ state }) => state,
  reasons: ({ stateReasons }) => stateReasons.join(' '),
  message: ({ stateMessage }) => stateMessage,
  title: ({ title }) => title,
  printer_id: ({ printerId }) => printerId,
  printer: ({ printerId }) => printerName(printerId) ?? null,
  source: ({ source }) => source,
  quantity: ({ qty }) => qty,
  created_at: ({ createdAt }) => createdAt,
  finished_at: ({ finishedAt }) => finishedAt,
})
