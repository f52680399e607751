/** The test receipt for printers of ESC/POS, on paper of 58 and 80 mm. */
import { toPairs } from './code-128.ts'
import { type TestSubject, toAscii, toBarCode, toTime } from './subject.ts'

/** Columns of font A by the width of the print head: 384, 512 and 576 dots. */
const WIDTHS = [32, 42, 48]

const ESC = '\x1b'
const GS = '\x1d'
const CENTER = `${ESC}a\x01`
const LEFT = `${ESC}a\x00`
const bold = (text: string) => `${ESC}E\x01${text}${ESC}E\x00`

/** Name and time, a line of characters for each usual width, a Code 128, a QR code, and a cut. */
export function makeTestReceipt(subject: TestSubject): string {
  const lines = WIDTHS.map((columns) => `${'1234567890'.repeat(5).slice(0, columns)}\n`)
  return [
    `${ESC}@${CENTER}${bold(toAscii(subject.heading))}\n`,
    `${toAscii(subject.printer)}\n${toTime(subject.at)}\n\n${LEFT}`,
    `The longest line without a break\nis the width: ${WIDTHS.join(', ')} columns\n`,
    ...lines,
    `\n${CENTER}${codeOf128(toBarCode(subject))}\n\n${qrCode(subject.link)}\n`,
    `${LEFT}${GS}V\x41\x03`,
  ].join('')
}

/** Subset C, 80 dots high, modules of 2 dots, the digits below. */
function codeOf128(digits: string): string {
  const data = `{C${String.fromCharCode(...toPairs(digits))}`
  return `${GS}h\x50${GS}w\x02${GS}H\x02${GS}k\x49${String.fromCharCode(data.length)}${data}`
}

/** Model 2, modules of 4 dots, correction level M. */
function qrCode(text: string): string {
  const command = (data: string) => `${GS}(k${String.fromCharCode(data.length & 0xff, data.length >> 8)}${data}`
  return [
    command('\x31\x41\x32\x00'),
    command('\x31\x43\x04'),
    command('\x31\x45\x31'),
    command(`\x31\x50\x30${toAscii(text)}`),
    command('\x31\x51\x30'),
  ].join('')
}
