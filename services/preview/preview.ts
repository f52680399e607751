/**
 * Draws documents in the languages of label and receipt printers: ZPL II and ESC/POS. Uses neither the DOM nor APIs of
 * Node, so that it runs in services, in the command line and in browsers. Its time and memory are bounded by
 * `budget.ts`, but callers with untrusted documents also run it in a process of its own.
 */
import { Budget } from './budget.ts'
import type { Preview } from './display-list.ts'
import { interpretEscPos } from './escpos/interpret.ts'
import { interpretZpl } from './zpl/interpret.ts'

/** What is loaded in the printer. */
export interface Paper {
  dpi: number
  /** Without it `^PW`, else 101.6 mm for labels and 72 mm for receipts. */
  widthMm?: number
  /** Without it `^LL`, else 152.4 mm, and more if the label is longer. Receipts are as long as what is printed. */
  heightMm?: number
}

const DEFAULT_DPI = 203

export type Language = Preview['language']

export interface PreviewOptions {
  /** The language of the document if it is not given. */
  language?: Language
  paper?: Partial<Paper>
  /** After which the picture ends, with a warning. Without it there is no limit. */
  timeoutMs?: number
}

/**
 * @returns the pages, with warnings about what they do not show.
 * @throws Error only for a defect; each document has a picture.
 */
export function drawPreview(document: Uint8Array, { language, paper, timeoutMs }: PreviewOptions = {}): Preview {
  const loaded = { ...paper, dpi: paper?.dpi ?? DEFAULT_DPI }
  const budget = new Budget(timeoutMs ?? Number.POSITIVE_INFINITY)
  if ((language ?? detectLanguage(document)) === 'zpl')
    return { language: 'zpl', pages: interpretZpl(toBinaryString(document), loaded, budget) }
  return { language: 'escpos', pages: [interpretEscPos(document, loaded, budget)] }
}

/**
 * ZPL has a label in its first 64 KiB, or begins with a command. Anything else is printed by a receipt printer as it
 * is.
 */
export function detectLanguage(document: Uint8Array): Language {
  const head = toBinaryString(document.subarray(0, 65_536))
  return /^[\s\u00bb\u00bf\u00ef]*[~^][A-Za-z]|\^XA/i.test(head) ? 'zpl' : 'escpos'
}

/** One character per byte, so that an index is an offset in the document. */
function toBinaryString(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8_192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)))
  return parts.join('')
}
