/**
 * Converts the status bits of a printer of Windows to state, text and IPP keywords. Pure. Keywords:
 * docs/reference/state-reasons.md.
 */
import type { PrinterInfo } from './winspool.ts'

interface Meaning {
  bit: number
  detail: string
  reasons: string[]
  /** Nothing can be printed before a user changes the printer or its settings. */
  offline?: true
}

/** PRINTER_STATUS_… of winspool.h. Bits of normal work (busy, printing, warming up) are omitted. */
const STATUS: Meaning[] = [
  { bit: 0x1, detail: 'Paused', reasons: ['printer-stopped', 'paused'], offline: true },
  { bit: 0x2, detail: 'Error', reasons: ['other'] },
  { bit: 0x4, detail: 'Being deleted', reasons: ['deleting'], offline: true },
  { bit: 0x8, detail: 'Paper jam', reasons: ['media-jam'] },
  { bit: 0x10, detail: 'Out of paper', reasons: ['media-empty'] },
  { bit: 0x20, detail: 'Waiting for manually fed paper', reasons: ['media-needed'] },
  { bit: 0x40, detail: 'Paper problem', reasons: ['media-needed'] },
  { bit: 0x80, detail: 'Offline', reasons: ['offline'], offline: true },
  { bit: 0x800, detail: 'Output bin full', reasons: ['output-area-full'] },
  { bit: 0x1000, detail: 'Not available', reasons: ['offline'], offline: true },
  { bit: 0x20000, detail: 'Toner low', reasons: ['toner-low'] },
  { bit: 0x40000, detail: 'Out of toner', reasons: ['toner-empty'] },
  { bit: 0x100000, detail: 'Needs attention', reasons: ['other'] },
  { bit: 0x200000, detail: 'Out of memory', reasons: ['other'] },
  { bit: 0x400000, detail: 'Door open', reasons: ['cover-open'] },
  { bit: 0x2000000, detail: 'Print server offline', reasons: ['offline'], offline: true },
  { bit: 0x4000000, detail: 'The driver must be updated', reasons: ['other'] },
]

/** PRINTER_ATTRIBUTE_…. */
const ATTRIBUTE = { direct: 0x2, fax: 0x4000, workOffline: 0x400 } as const

const WORKS_OFFLINE: Meaning = {
  bit: ATTRIBUTE.workOffline,
  detail: 'Set to "Use printer offline"',
  reasons: ['offline'],
  offline: true,
}

/** Sends documents directly to the port, so a job cannot be held. */
export const isUnspooled = ({ attributes }: Pick<PrinterInfo, 'attributes'>) => (attributes & ATTRIBUTE.direct) !== 0

const UNSPOOLED: Meaning = {
  bit: ATTRIBUTE.direct,
  detail: 'Set to print directly: enable spooling in the properties of the printer, "Advanced"',
  reasons: ['spooling-disabled'],
  offline: true,
}

/** Ports that ask the user of the computer for a file name or a number. */
const INTERACTIVE_PORT = /^(PORTPROMPT:|FILE:|XPSPort:|SHRFAX:|nul:?$)/i

/** Fax printers and printers that write to a file need a user at the computer. */
export const isInteractive = ({ attributes, port }: Pick<PrinterInfo, 'attributes' | 'port'>) =>
  (attributes & ATTRIBUTE.fax) !== 0 || port.split(',').some((one) => INTERACTIVE_PORT.test(one.trim()))

export function toPrinterState(printer: Pick<PrinterInfo, 'status' | 'attributes'>): {
  state: 'online' | 'offline'
  stateDetail: string
  stateReasons: string[]
} {
  const meanings = STATUS.filter(({ bit }) => (printer.status & bit) !== 0)
  for (const meaning of [WORKS_OFFLINE, UNSPOOLED]) if ((printer.attributes & meaning.bit) !== 0) meanings.push(meaning)
  return {
    state: meanings.some(({ offline }) => offline) ? 'offline' : 'online',
    stateDetail: meanings.map(({ detail }) => detail).join('. '),
    stateReasons: [...new Set(meanings.flatMap(({ reasons }) => reasons))],
  }
}
