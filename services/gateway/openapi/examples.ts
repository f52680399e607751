/** One example for each schema, together one story: a shop that prints an invoice. */

const COMPUTER_ID = '019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01'
const PRINTER_ID = '019a5c1e-7d11-7e55-8a42-94c1b0d7f602'
const JOB_ID = '019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03'
const ENROLLMENT_ID = '019a5c20-0f42-7b1d-8e77-6a9c4d3b2e04'
const ORGANIZATION_ID = '019a5c10-12ab-7d4e-9f30-1b2c3d4e5f05'
const KEY_ID = '019a5c11-5c0d-7a96-b8e1-7f6e5d4c3b06'

const pageOf = (resource: object) => ({ data: [resource], hasMore: false, nextCursor: 'AZpcITt6fw6hxF0uj5tqAw' })

const printJob = {
  id: JOB_ID,
  printerId: PRINTER_ID,
  computerId: COMPUTER_ID,
  title: 'Invoice 1042',
  contentType: 'pdf_base64',
  source: 'shop',
  qty: 1,
  options: { duplex: 'long-edge' },
  expireAfter: 86_400,
  expiresAt: '2026-03-03T09:30:00.125Z',
  fileSize: 15,
  fileSha256: '7c3b6a4bdd2ec8ac5b3cdd6b1b9cfd2a28b7a0bb3c4af9b5c1a8f1e5d3a7b906',
  mode: 'live',
  state: 'queued',
  stateMessage: null,
  stateReasons: [],
  createdAt: '2026-03-02T09:30:00.125Z',
  sentAt: null,
  receivedAt: null,
  printingAt: null,
  finishedAt: null,
}

const printJobEvent = {
  id: '019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07',
  state: 'queued',
  message: null,
  actor: 'api',
  createdAt: printJob.createdAt,
}

const printer = {
  id: PRINTER_ID,
  computerId: COMPUTER_ID,
  name: 'Office laser',
  osName: 'office-laser',
  description: 'A4 mono laser printer',
  displayName: 'Back office',
  remarks: 'Refill tray 2 on Mondays',
  enabled: true,
  isDefault: true,
  state: 'online',
  stateDetail: '',
  stateReasons: [],
  capabilities: {
    papers: { A4: [2100, 2970], A5: [1480, 2100] },
    bins: ['auto', 'tray-2'],
    dpis: ['600x600'],
    medias: ['stationery'],
    extent: [
      [760, 1270],
      [2160, 3560],
    ],
    printrate: { rate: 30, unit: 'ppm' },
    duplex: true,
    color: false,
    collate: true,
    copies: 99,
    nup: [1, 2, 4],
    supports_custom_paper_size: true,
  },
  defaultOptions: { paper: 'A4' },
  customPapers: [{ name: 'Delivery note', width: 2100, height: 1480 }],
  createdAt: '2026-02-27T08:00:00.000Z',
  updatedAt: '2026-03-02T08:15:42.310Z',
}

const computer = {
  id: COMPUTER_ID,
  name: 'Back office',
  hostname: 'office-pc-1',
  os: 'linux',
  osVersion: '12',
  arch: 'x64',
  agentVersion: '1.0.0',
  state: 'online',
  mode: 'live',
  lastSeenAt: '2026-03-02T09:29:51.004Z',
  createdAt: '2026-02-27T07:59:12.480Z',
}

const newPrintJob = { printerId: PRINTER_ID, title: 'Invoice 1042', source: 'shop', options: { duplex: 'long-edge' } }

/** The other forms of a body, by the name of its schema. */
export const OTHER_FORMS: Record<string, Record<string, object>> = {
  NewPrintJob: {
    'A document at a URL': {
      ...newPrintJob,
      contentType: 'pdf_uri',
      content: 'https://files.example.com/invoices/1042.pdf',
      authentication: { type: 'BasicAuth', credentials: { user: 'printing', pass: 'correct horse' } },
    },
    'A reprint': { ...newPrintJob, reprintOf: JOB_ID },
  },
}

/** By the name of the schema in `schemas.ts`. */
export const EXAMPLES: Record<string, object> = {
  NewPrintJob: {
    ...newPrintJob,
    contentType: 'pdf_base64',
    content: Buffer.from('%PDF-1.7\n%%EOF\n').toString('base64'),
  },
  PrintOptions: printJob.options,
  PrintJob: printJob,
  PrintJobPage: pageOf(printJob),
  PrintJobEvent: printJobEvent,
  PrintJobEventList: { data: [printJobEvent] },
  PrinterChanges: { displayName: 'Back office', defaultOptions: { paper: 'A4' }, customPapers: printer.customPapers },
  Printer: printer,
  PrinterPage: pageOf(printer),
  Computer: computer,
  ComputerPage: pageOf(computer),
  NewEnrollment: { maxUses: 1, expiresInSeconds: 900 },
  Enrollment: {
    id: ENROLLMENT_ID,
    token: 'platen_enroll_4mGzJr0aXc7yPq2tLw9bEuV5sKd8hNf3',
    expiresAt: '2026-03-02T09:45:00.000Z',
    maxUses: 1,
  },
  AgentEnrollment: {
    name: 'Back office',
    hostname: computer.hostname,
    os: computer.os,
    osVersion: computer.osVersion,
    arch: computer.arch,
    agentVersion: computer.agentVersion,
  },
  EnrolledAgent: {
    computerId: COMPUTER_ID,
    credential: 'platen_agent_7sKd8hNf34mGzJr0aXc7yPq2tLw9bEuV5sKd8hNf3aQ',
    agentUrl: 'https://agents.print.example',
  },
  Identity: {
    organization: { id: ORGANIZATION_ID, name: 'Corner Shop Ltd' },
    mode: 'live',
    apiKey: {
      id: KEY_ID,
      name: 'Shop',
      prefix: 'platen_live_4mGz',
      scopes: ['read', 'print'],
      createdAt: '2026-02-26T16:20:05.000Z',
    },
    user: null,
  },
  Usage: {
    period: { start: '2026-03-01T00:00:00.000Z', end: '2026-04-01T00:00:00.000Z' },
    prints: { used: 1284, limit: null },
    computers: { used: 3, limit: null },
    plan: 'self-hosted',
    testJobsToday: { used: 17, limit: 500, resetsAt: '2026-03-03T00:00:00.000Z' },
  },
  Error: {
    error: {
      code: 'not_found',
      message: 'There is no printer with this id.',
      request_id: '0d9d4f6c-6d0f-4b9e-8f3e-0a4a1d1c7d54',
    },
  },
}
