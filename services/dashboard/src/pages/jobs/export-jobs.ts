import type { Live } from '../../api/live.tsx'
import type { Job } from '../../api/resources.ts'
import { download } from '../../ui/download.ts'

/** Spreadsheets run a cell that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/

export function toCsvCell(value: string | number | null): string {
  const text = String(value ?? '')
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

type Cell = (job: Job, printerName: (id: string) => string | undefined) => string | number | null
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

export function toCsv(jobs: Job[], printerName: (id: string) => string | undefined): string {
  const lines = jobs.map((job) => Object.values(COLUMNS).map((cell) => toCsvCell(cell(job, printerName))))
  return [Object.keys(COLUMNS), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('')
}

/** With a byte order mark, without which Excel reads another encoding. */
export function downloadCsv({ resources }: Live, jobs: Job[]): void {
  const text = toCsv(jobs, (id) => resources.get('printer', id)?.displayName)
  download('jobs.csv', 'text/csv', `\ufeff${text}`)
}
