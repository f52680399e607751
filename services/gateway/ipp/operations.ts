/** The table of operations. Reference: docs/reference/ipp.md#operations. */

import { cancelJob } from './handlers/cancel-job.ts'
import { cancelMyJobs } from './handlers/cancel-my-jobs.ts'
import { closeJob } from './handlers/close-job.ts'
import { createJob } from './handlers/create-job.ts'
import { getJobAttributes } from './handlers/get-job-attributes.ts'
import { getJobs } from './handlers/get-jobs.ts'
import { createGetPrinterAttributes } from './handlers/get-printer-attributes.ts'
import { identifyPrinter } from './handlers/identify-printer.ts'
import { printJob } from './handlers/print-job.ts'
import { sendDocument } from './handlers/send-document.ts'
import { validateJob } from './handlers/validate-job.ts'
import type { IppOperationRow } from './operation.ts'

const WITH_ACCESS: readonly IppOperationRow[] = [
  printJob,
  validateJob,
  createJob,
  sendDocument,
  cancelJob,
  getJobAttributes,
  getJobs,
  cancelMyJobs,
  closeJob,
  identifyPrinter,
]

export const IPP_OPERATIONS: readonly IppOperationRow[] = [
  ...WITH_ACCESS,
  createGetPrinterAttributes([...WITH_ACCESS.map(({ name }) => name), 'Get-Printer-Attributes']),
]
