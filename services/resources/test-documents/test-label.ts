/**
 * The test label for printers of ZPL II, of which only the resolution of 203 dpi is assumed: larger labels leave the
 * rest white.
 */
import { type TestSubject, toAscii, toBarCode, toTime } from './subject.ts'

/** Dots; 50 x 30 mm, which nearly all labels have. */
const WIDTH = 400
const HEIGHT = 240
/** 2 mm. */
const FRAME = 16
/** The width of the text beside the QR code. */
const TEXT_WIDTH = 235
/** A share of its height, on average. */
const CHARACTER_WIDTH = 0.56

/** A frame of 46 x 26 mm at 2 mm from the edges, name and time, a Code 128 and a QR code. */
export function makeTestLabel(subject: TestSubject): string {
  const line = (y: number, height: number, text: string) =>
    `^FO${FRAME + 12},${y}^A0N,${height},${height}^FD${toFieldData(text.slice(0, TEXT_WIDTH / (height * CHARACTER_WIDTH)))}^FS`
  return [
    '^XA^PON^PMN^LRN^LH0,0^CI28',
    `^FO${FRAME},${FRAME}^GB${WIDTH - 2 * FRAME},${HEIGHT - 2 * FRAME},2^FS`,
    line(28, 28, subject.heading),
    line(62, 22, subject.printer),
    line(90, 18, toTime(subject.at)),
    `^FO${WIDTH - FRAME - 12 - 111},${FRAME + 8}^BQN,2,3^FDLA,${toFieldData(subject.link)}^FS`,
    `^FO${FRAME + 44},148^BY2,2,40^BCN,40,Y,N,N^FD>;${toBarCode(subject)}^FS`,
    '^XZ\n',
  ].join('\n')
}

const toFieldData = (text: string) => toAscii(text).replaceAll(/[\^~]/g, '?')
