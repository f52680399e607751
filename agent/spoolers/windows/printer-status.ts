/** What Windows' bits say of a printer, as state, words for people and IPP keywords for programs. Pure. Keywords: docs/reference/state-reasons.md. */
import type { PrinterInfo } from './winspool.ts'

interface Meaning {
  bit: number
  detail: string
  reasons: string[]
  /** Nothing can be printed until somebody does something about the printer itself. */
  offline?: true
}

/** PRINTER_STATUS_… of winspool.h. Bits that say no more than that the printer works (busy, printing, warming up) are not named. */
const STATUS: Meaning[] = [
  { bit: 0x1, detail: 'Paused', reasons: ['printer-stopped', 'paused'], offline: true },
  { bit: 0x2, detail: 'Error', reasons: ['other'] },
  { bit: 0x4, detail: 'Being deleted', reasons: ['deleting'], offline: true },
  { bit: 0x8, detail: 'Paper jam', reasons: ['media-jam'] },
  { bit: 0x10, detail: 'Out of paper', reasons: ['media-empty'] },
  { bit: 0x20, detail: 'Waits for paper to be fed by hand', reasons: ['media-needed'] },
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
  detail: 'Set to be used offline',
  reasons: ['offline'],
  offline: true,
}

/** Passes documents straight to the port: nothing can be held back there. */
export const isUnspooled = ({ attributes }: Pick<PrinterInfo, 'attributes'>) => (attributes & ATTRIBUTE.direct) !== 0

const UNSPOOLED: Meaning = {
  bit: ATTRIBUTE.direct,
  detail: 'Set to print directly: allow spooling in the properties of the printer, "Advanced"',
  reasons: ['spooling-disabled'],
  offline: true,
}

/** Ports that ask whoever sits before the computer for a name, or a number. */
const ASKING_PORT = /^(PORTPROMPT:|FILE:|XPSPort:|SHRFAX:|nul:?$)/i

/** Fax machines, and what writes files of which only a person can say where, print nothing by themselves. */
export const isInteractive = ({ attributes, port }: Pick<PrinterInfo, 'attributes' | 'port'>) =>
  (attributes & ATTRIBUTE.fax) !== 0 || port.split(',').some((one) => ASKING_PORT.test(one.trim()))

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
