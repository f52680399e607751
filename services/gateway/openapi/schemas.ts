/** The schemas that the document names. Those of bodies are the ones that the gateway judges requests by. */
import type { z } from 'zod'
import { IDENTITY, USAGE } from '../json/account-schema.ts'
import { ENROLLED_AGENT } from '../json/agent-enrollment-schema.ts'
import { COMPUTER } from '../json/computer-schema.ts'
import { ENROLLMENT } from '../json/enrollment-schema.ts'
import { ERROR } from '../json/error-schema.ts'
import { pageOf } from '../json/page-schema.ts'
import { JOB, JOB_EVENT, JOB_EVENT_LIST } from '../json/print-job-schema.ts'
import { PRINTER } from '../json/printer-schema.ts'
import { AGENT_ENROLLMENT } from '../request/agent-enrollment.ts'
import { NEW_ENROLLMENT } from '../request/new-enrollment.ts'
import { PRINTER_CHANGES } from '../request/printer-changes.ts'
import { PRINT_JOB } from '../upload/print-job-request.ts'
import { PRINT_OPTIONS } from '../upload/print-options.ts'

export const SCHEMAS: Record<string, z.ZodType> = {
  NewPrintJob: PRINT_JOB,
  PrinterChanges: PRINTER_CHANGES,
  NewEnrollment: NEW_ENROLLMENT,
  PrintOptions: PRINT_OPTIONS,
  PrintJob: JOB,
  PrintJobPage: pageOf(JOB, 'print jobs'),
  PrintJobEvent: JOB_EVENT,
  PrintJobEventList: JOB_EVENT_LIST,
  Printer: PRINTER,
  PrinterPage: pageOf(PRINTER, 'printers'),
  Computer: COMPUTER,
  ComputerPage: pageOf(COMPUTER, 'computers'),
  Enrollment: ENROLLMENT,
  AgentEnrollment: AGENT_ENROLLMENT,
  EnrolledAgent: ENROLLED_AGENT,
  Identity: IDENTITY,
  Usage: USAGE,
  Error: ERROR,
}
