/** An example of each resource, together one story: a shop that prints an invoice. For the OpenAPI document and for test deliveries. */
import type { ComputerJson } from './computer-schema.ts'
import type { JobJson } from './print-job-schema.ts'
import type { PrinterJson } from './printer-schema.ts'

const COMPUTER_ID = '019a5c1e-7d10-7c3a-9b1f-2f6d3a7e4c01'
const PRINTER_ID = '019a5c1e-7d11-7e55-8a42-94c1b0d7f602'

export const printJob: JobJson = {
  id: '019a5c21-3b7a-7f0e-a1c4-5d2e8f9b6a03',
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

export const computer: ComputerJson = {
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

export const printer: PrinterJson = {
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
