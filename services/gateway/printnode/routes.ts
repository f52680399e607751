/** The table of all routes. */

import { billing, credits, scales } from './paths/absent.ts'
import { cancelPrinterPrintJobs, cancelPrintJobs } from './paths/cancel-print-jobs.ts'
import { createPrintJob } from './paths/create-print-job.ts'
import { listComputers } from './paths/list-computers.ts'
import { listPrinterPrintJobs, listPrintJobs } from './paths/list-print-jobs.ts'
import { listComputerPrinters, listPrinters } from './paths/list-printers.ts'
import { listStates } from './paths/list-states.ts'
import { noop, ping } from './paths/ping.ts'
import { whoami } from './paths/whoami.ts'
import type { Route } from './route.ts'

/** A literal part of a path is before a set of ids. */
export const ROUTES: readonly Route[] = [
  whoami,
  ping,
  noop,
  scales,
  credits,
  billing,
  listStates,
  listPrintJobs,
  listPrinters,
  listComputers,
  listComputerPrinters,
  listPrinterPrintJobs,
  createPrintJob,
  cancelPrintJobs,
  cancelPrinterPrintJobs,
]
