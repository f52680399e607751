/** What the test documents name. */
export interface TestSubject {
  /** The first line. */
  heading: string
  /** The name of the printer, so that the owner recognizes the paper. */
  printer: string
  /** The number of the printer, `#7` in the dashboard. */
  printerNumber: number
  at: Date
  /** The text of the QR code, for example the address of the printer in the dashboard. At most 300 characters. */
  link: string
}

export const toAscii = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?')

/** @returns in UTC, `2026-03-02 09:30 UTC`. */
export const toTime = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** @returns the digits of the bar code, an even number: number of the printer, date and time, `0007202603020930`. */
export function toBarCode({ printerNumber, at }: TestSubject): string {
  const number = String(printerNumber).padStart(4, '0')
  return `${number.length % 2 === 0 ? '' : '0'}${number}${at.toISOString().slice(0, 16).replaceAll(/\D/g, '')}`
}
