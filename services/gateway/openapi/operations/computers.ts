/** Source: specification, "Computers"; decisions, "Computers and printers". */
import type { Descriptions } from '../description.ts'
import { PAGE } from '../parameters.ts'

export const COMPUTER_OPERATIONS: Descriptions = {
  listComputers: {
    tag: 'Computers',
    summary: 'List computers',
    description:
      'The computers of the organization and mode of the key, the newest first unless `dir` says otherwise. A test key sees the virtual test computer.',
    query: PAGE,
    success: { status: 200, description: 'A page of computers.', schema: 'ComputerPage' },
  },
  getComputer: {
    tag: 'Computers',
    summary: 'Read a computer',
    description: 'The computer and whether its agent is connected.',
    success: { status: 200, description: 'The computer.', schema: 'Computer' },
  },
  deleteComputer: {
    tag: 'Computers',
    summary: 'Delete a computer',
    description:
      'Takes the computer and its printers away for good: its agent is disconnected and cannot come back without a new enrolment. Its jobs in `queued` and `sent` become `cancelled`, those in `received` and `printing` become `error` with the reason `computer-deleted`. All its jobs stay readable. The virtual test computer cannot be deleted.',
    success: { status: 204, description: 'The computer is gone.' },
    errors: ['forbidden'],
  },
  listComputerPrinters: {
    tag: 'Computers',
    summary: 'List the printers of a computer',
    description: 'The printers that are attached to this computer, the newest first unless `dir` says otherwise.',
    query: PAGE,
    success: { status: 200, description: 'A page of printers.', schema: 'PrinterPage' },
  },
  createEnrollment: {
    tag: 'Computers',
    summary: 'Create an enrolment token',
    description:
      'Makes the token that an agent trades for a credential of its own, which is bound to one computer. Enrolling again from the same data directory keeps the id of the computer. Only in live mode: test mode has its virtual computer alone.',
    body: 'NewEnrollment',
    success: { status: 201, description: 'The token, which is shown this once.', schema: 'Enrollment' },
    errors: ['forbidden', 'mode_mismatch'],
  },
  enrollAgent: {
    tag: 'Computers',
    summary: 'Enrol a computer',
    description:
      'What the agent calls when it is told to enrol: trades an enrolment token for a credential of its own, which is bound to one computer. Do not send it again by yourself when no answer came: a use of the token may be spent.',
    body: 'AgentEnrollment',
    success: { status: 201, description: 'The computer is enrolled.', schema: 'EnrolledAgent' },
  },
}
