/**
 * The test page for printers with a driver, and the first page of `npm start`: what a technician looks at when a
 * printer was set up.
 */
import { encode } from 'uqr'
import { encodeCode128 } from './code-128.ts'
import { A4, makePdf } from './make-pdf.ts'
import { type TestSubject, toAscii, toBarCode, toTime } from './subject.ts'

const MM = 72 / 25.4
/** The number of millimetres that are drawn on the longest paper. */
const MM_MAX = 2_000
/** Distances of the frames and of the content from the edge, in millimetres. */
const PAGE = { frames: [2, 5, 10], contentMm: 12 }
/** The frames of paper with a side below `LABEL_MAX_MM`. */
const LABEL = { frames: [2, 5], contentMm: 7 }
const LABEL_MAX_MM = 80
/** What text and codes need. Where less is left, they are drawn smaller. */
const CONTENT_MM = { width: 100, height: 76 }
const QR_MM = 30
const BAR_HEIGHT_MM = 14
/** Scanners read wider bars from paper; a narrow page has narrower ones. */
const MODULE_MM = 0.42
/** Modules of white on both sides of a bar code. */
const QUIET_ZONE = 10

/**
 * Frames show what the printer cuts off, rulers of millimetres what it scales, and both bar codes whether it prints
 * sharply.
 *
 * @param size of the paper, in points.
 * @returns a PDF in ASCII.
 */
export function makeTestPage(subject: TestSubject, { width, height } = A4): string {
  const { frames, contentMm } = Math.min(width, height) / MM < LABEL_MAX_MM ? LABEL : PAGE
  const left = contentMm * MM
  const scale = Math.min(1, (width - 2 * left) / MM / CONTENT_MM.width, (height - 2 * left) / MM / CONTENT_MM.height)
  const lines: [points: number, text: string][] = [
    [20, subject.heading],
    [12, subject.printer],
    [10, toTime(subject.at)],
    [9, `Paper ${Math.round(width / MM)} x ${Math.round(height / MM)} mm`],
    [
      9,
      `Frames at ${frames.slice(0, -1).join(', ')} and ${frames.at(-1)} mm: a missing one is outside of the printed area.`,
    ],
    [9, 'The marks of the rulers are 1 mm apart; if they are not, the page was scaled.'],
  ]
  let y = height - left
  const text = lines.map(([points, line]) => {
    y -= points * scale * 1.6
    return `BT /F1 ${round(points * scale)} Tf ${round(left)} ${round(y)} Td (${toPdfText(line)}) Tj ET`
  })
  const qr = encode(subject.link, { border: 0 })
  const qrSide = QR_MM * MM * scale
  const below = y - 6 * MM * scale
  const squares = qr.data.flatMap((row, down) =>
    row.flatMap((isDark, right) => {
      const side = qrSide / qr.size
      return isDark
        ? `${round(left + right * side)} ${round(below - (down + 1) * side)} ${round(side)} ${round(side)} re`
        : []
    }),
  )
  const widths = encodeCode128(toBarCode(subject))
  const modules = widths.reduce((sum, width) => sum + width, 0)
  const barsLeft = left + qrSide + 8 * MM * scale
  const module = Math.min(MODULE_MM * MM, (width - barsLeft - left) / (modules + QUIET_ZONE))
  const barHeight = BAR_HEIGHT_MM * MM * scale
  let at = barsLeft
  const bars = widths.flatMap((count, index) => {
    const bar = `${round(at)} ${round(below - barHeight)} ${round(count * module)} ${round(barHeight)} re`
    at += count * module
    return index % 2 === 0 ? bar : []
  })
  const caption = `BT /F1 ${round(10 * scale)} Tf ${round(barsLeft)} ${round(below - barHeight - 12 * scale)} Td (${toPdfText(toBarCode(subject))}) Tj ET`
  const content = [
    '0.4 w',
    ...frames.map((mm) => frame(mm * MM, width, height)),
    ...rulers(width, height),
    ...text,
    ...squares,
    ...bars,
    'f',
    caption,
  ]
  return makePdf(content.join('\n'), { width: round(width), height: round(height) })
}

const frame = (margin: number, width: number, height: number) =>
  `${round(margin)} ${round(margin)} ${round(width - 2 * margin)} ${round(height - 2 * margin)} re S`

/** Marks along the upper and the left edge. */
function rulers(width: number, height: number): string[] {
  const marks = (length: number, draw: (at: number, size: number) => string) =>
    Array.from({ length: Math.min(Math.floor(length / MM), MM_MAX) }, (_, mm) =>
      draw(round(mm * MM), (mm % 10 === 0 ? 4 : mm % 5 === 0 ? 2.5 : 1.5) * MM),
    )
  return [
    ...marks(width, (at, size) => `${at} ${round(height)} m ${at} ${round(height - size)} l S`),
    ...marks(height, (at, size) => `0 ${round(height - at)} m ${round(size)} ${round(height - at)} l S`),
  ]
}

const toPdfText = (text: string) => toAscii(text).replaceAll(/[\\()]/g, (special) => `\\${special}`)

const round = (points: number) => Math.round(points * 100) / 100
