import type { Job } from '../../api/resources.ts'
import type { CsvCell } from '../../ui/download.ts'

type Cell = (job: Job, printerName: (id: string) => string | undefined) => CsvCell
const COLUMNS: Record<string, Cell> = {
  id: ({ id }) => id,
  state: ({ state }) => state,
  reasons: ({ stateReasons }) => stateReasons.join(' '),
  message: ({ stateMessage }) => stateMessage,
  title: ({ title }) => title,
  printer_id: ({ printerId }) => printerId,
  printer: ({ printerId }, printerName) => printerName(printerId) ?? null,
  source: ({ source }) => source,
  quantity: ({ qty }) => qty,
  created_at: ({ createdAt }) => createdAt,
  finished_at: ({ finishedAt }) => finishedAt,
}

/** @returns rows of a CSV file. */
export const toRows = (jobs: Job[], printerName: (id: string) => string | undefined): CsvCell[][] => [
  Object.keys(COLUMNS),
  ...jobs.map((job) => Object.values(COLUMNS).map((cell) => cell(job, printerName))),
]
