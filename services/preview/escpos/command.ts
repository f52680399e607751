/** What the handlers of commands get, and how commands are named in warnings. */
import type { ReceiptPrinter } from './printer.ts'
import type { Reader } from './reader.ts'

export interface Context {
  printer: ReceiptPrinter
  reader: Reader
  /** The position of the command. */
  offset: number
}

export type Handler = (context: Context) => void

/** @returns the character, or its number if it cannot be shown. */
export const toName = (char: string): string =>
  /[!-~]/.test(char) ? char : `0x${char.charCodeAt(0).toString(16).padStart(2, '0')}`
