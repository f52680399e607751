/**
 * Valid PDFs that programs read differently, and some damaged ones. `agent/tests/tables/odd-pdfs.test.ts` has what
 * becomes of each.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPdf } from '../../agent/spoolers/pdf/pages.ts'
import { openPdfDocument } from '../../agent/spoolers/pdf/pdfium.ts'
import { SAVE, saveDocument } from '../../agent/spoolers/pdf/save-document.ts'
import { makePages, toFont, toStream, writePdf } from './build-pdf.ts'

const MARK = '0 g 60 702 80 80 re f'
/** Outside of `CROP`. */
const HIDDEN = '0 g 400 100 160 400 re f'
const MEDIA = '/MediaBox [0 0 595 842]'
const REVERSED = '/MediaBox [595 842 0 0]'
const CROP = '/CropBox [40 400 328 832]'

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'

/** A document with one page. @param inherited entries of the node above it. @param more objects from number 5 on. */
const page = (entries: string, { content = MARK, inherited = '', more = [] as string[], catalog = CATALOG } = {}) =>
  writePdf([
    catalog,
    `<< /Type /Pages /Kids [3 0 R] /Count 1 ${inherited} >>`,
    `<< /Type /Page /Parent 2 0 R ${entries} /Contents 4 0 R >>`,
    toStream(content),
    ...more,
  ])

/** A document with pages that share a content. */
const pages = (entries: string[], content: string, kids = entries.map((_, index) => 3 + index)) => {
  const contentAt = 3 + entries.length
  return writePdf([
    CATALOG,
    `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`,
    ...entries.map((one) => `<< /Type /Page /Parent 2 0 R ${one} /Contents ${contentAt} 0 R >>`),
    content.startsWith('[') ? `[${contentAt + 1} 0 R]` : toStream(content),
    toStream(content.replace('[', '')),
  ])
}

/** A black annotation. @param rectangle its corners. @param flags 4 is printed, 2 is hidden. */
const annotation = (rectangle: string, flags: number, more = '/Subtype /Stamp') => [
  `<< /Type /Annot ${more} /Rect [${rectangle}] /F ${flags} /AP << /N 6 0 R >> >>`,
  toStream('0 g 0 0 100 100 re f', '/Type /XObject /Subtype /Form /BBox [0 0 100 100] '),
]
/** The content leaves a changed graphics state. */
const annotated = (boxes: string, rectangle: string, flags = 4) =>
  page(`${boxes} /Annots [5 0 R]`, {
    content: '2 0 0 2 0 0 cm 0 g 30 351 40 40 re f',
    more: annotation(rectangle, flags),
  })

/** Objects 1 to 3 are in an object stream, which only a cross-reference stream names. */
function withObjectStream(entries: string, isHybrid: boolean): Buffer {
  const inStream = [
    CATALOG,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R ${entries} /Contents 4 0 R >>`,
  ]
  const starts = inStream.map((_, at) => inStream.slice(0, at).join(' ').length + Math.min(at, 1))
  const index = starts.map((start, at) => `${at + 1} ${start}`).join(' ')
  const objectStream = toStream(`${index} ${inStream.join(' ')}`, `/Type /ObjStm /N 3 /First ${index.length + 1} `)
  let pdf = '%PDF-1.5\n'
  const offsets = [objectStream, toStream(MARK)].map((object, at) => {
    const offset = pdf.length
    pdf += `${5 - at} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const [objectStreamAt = 0, contentAt = 0] = offsets
  const xrefAt = pdf.length
  const entry = (type: number, value: number, last: number) => [type, value >> 8, value & 255, last]
  const compressed = [0, 1, 2].flatMap((at) => entry(2, 5, at))
  const uncompressed = [contentAt, objectStreamAt, xrefAt].flatMap((offset) => entry(1, offset, 0))
  const data = String.fromCharCode(...entry(0, 0, 255), ...compressed, ...uncompressed)
  pdf += `6 0 obj\n${toStream(data, '/Type /XRef /Size 7 /Root 1 0 R /W [1 2 1] ')}\nendobj\n`
  if (!isHybrid) return Buffer.from(`${pdf}startxref\n${xrefAt}\n%%EOF\n`, 'latin1')
  const row = (offset: number) => `${String(offset).padStart(10, '0')} 00000 n \n`
  const table = `xref\n0 1\n0000000000 65535 f \n4 3\n${row(contentAt)}${row(objectStreamAt)}${row(xrefAt)}`
  const trailer = `trailer\n<< /Size 7 /Root 1 0 R /XRefStm ${xrefAt} >>\n`
  return Buffer.from(`${pdf}${table}${trailer}startxref\n${pdf.length}\n%%EOF\n`, 'latin1')
}

/** The objects of the first page are in front, with their own table. */
function linearize(entries: string): Buffer {
  const first = [
    `5 0 obj\n${CATALOG}\nendobj\n`,
    `6 0 obj\n<< /Type /Page /Parent 1 0 R ${entries} /Contents 7 0 R >>\nendobj\n`,
    `7 0 obj\n${toStream(MARK)}\nendobj\n`,
  ].map((object) => object.replace('/Pages 2 0 R', '/Pages 1 0 R'))
  const last = ['1 0 obj\n<< /Type /Pages /Kids [6 0 R] /Count 1 >>\nendobj\n']
  const pad = (value: number) => String(value).padStart(10, '0')
  const row = (offset: number) => `${pad(offset)} 00000 n \n`
  const build = ([length = 0, firstEnd = 0, mainAt = 0]: number[]) => {
    const dictionary = `4 0 obj\n<< /Linearized 1 /L ${pad(length)} /H [0 0] /O 6 /E ${pad(firstEnd)} /N 1 /T ${pad(mainAt)} >>\nendobj\n`
    const head = `%PDF-1.4\n${dictionary}`
    const tableLength = 'xref\n4 4\n'.length + 4 * 20
    const trailer = `trailer\n<< /Size 8 /Root 5 0 R /Prev ${pad(mainAt)} >>\nstartxref\n0\n%%EOF\n`
    const start = head.length + tableLength + trailer.length
    const offsets = first.map((_, at) => start + first.slice(0, at).join('').length)
    const table = `xref\n4 4\n${row(9)}${offsets.map(row).join('')}`
    const front = `${head}${table}${trailer}${first.join('')}`
    const body = `${front}${last.join('')}`
    const main = `xref\n0 2\n0000000000 65535 f \n${row(front.length)}trailer\n<< /Size 4 >>\nstartxref\n${head.length}\n%%EOF\n`
    return { text: `${body}${main}`, facts: [body.length + main.length, front.length, body.length] }
  }
  return Buffer.from(build(build([]).facts).text, 'latin1')
}

/** The mark, a layer for the screen at its right and one for paper below. @param events that apply the use of both. */
export const makeLayered = (events: string) => {
  const apply = (event: string) => `<< /Event ${event} /Category [${event}] /OCGs [5 0 R 6 0 R] >>`
  const layer = (name: string, view: string, print: string) =>
    `<< /Type /OCG /Name (${name}) /Usage << /View << /ViewState /${view} >> /Print << /PrintState /${print} >> >> >>`
  return page(`${MEDIA} /Resources << /Properties << /S 5 0 R /P 6 0 R >> >>`, {
    content: `${MARK} /OC /S BDC 300 702 200 80 re f EMC /OC /P BDC 60 300 80 200 re f EMC`,
    more: [layer('screen \\(\\)', 'ON', 'OFF'), layer('paper', 'OFF', 'ON')],
    catalog: CATALOG.replace(
      '>>',
      `/OCProperties << /OCGs [5 0 R 6 0 R] /D << /Name (D) /OFF [6 0 R] /AS [${events.split(' ').filter(Boolean).map(apply).join(' ')}] >> >> >>`,
    ),
  })
}

const PLAIN = makePages([{ width: 595, height: 842, content: MARK }])
const text = PLAIN.toString('latin1')
const MB = 1024 * 1024

/** Documents by title. */
export const ODD_PDFS: Record<string, Buffer> = {
  'usual boxes': PLAIN,
  'a reversed media box': page(REVERSED),
  'a media box with reversed x': page('/MediaBox [595 0 0 842]'),
  'a media box with reversed y': page('/MediaBox [0 842 595 0]'),
  'a reversed media box and a crop box': page(`${REVERSED} ${CROP}`, { content: `${MARK} ${HIDDEN}` }),
  'an origin that is not 0': page('/MediaBox [1000 1000 1595 1842]', { content: '0 g 1060 1702 80 80 re f' }),
  'a negative origin': page('/MediaBox [-100 -100 495 742]', { content: '0 g -40 602 80 80 re f' }),
  'a crop box that hides content': page(`${MEDIA} ${CROP}`, { content: `${MARK} ${HIDDEN}` }),
  'a media box that hides content': page(CROP.replace('Crop', 'Media'), { content: `${MARK} ${HIDDEN}` }),
  'a small page without other content': page('/MediaBox [0 0 288 432]', { content: '0 g 20 302 80 80 re f' }),
  'a crop box around the media box': page(`${MEDIA} /CropBox [-50 -50 700 900]`),
  'a crop box partly outside': page(`${MEDIA} /CropBox [40 400 700 900]`, { content: `${MARK} ${HIDDEN}` }),
  'a reversed crop box': page(`${MEDIA} /CropBox [328 832 40 400]`, { content: `${MARK} ${HIDDEN}` }),
  'a crop box outside': page(`${MEDIA} /CropBox [1000 1000 1200 1300]`),
  'a crop box without area': page(`${MEDIA} /CropBox [0 0 0 0]`),
  'a crop box that is a name': page(`${MEDIA} /CropBox /None`),
  'a trim box that is smaller': page(`${MEDIA} /TrimBox [50 50 400 800]`),
  'a reversed trim box': page(`${MEDIA} /TrimBox [595 842 0 0]`),
  'a trim box of the size of the page': page(`${MEDIA} /TrimBox [0 0 595 842]`),
  'an inherited media box': page('', { inherited: MEDIA }),
  'an inherited reversed media box': page('', { inherited: REVERSED }),
  'an inherited crop box and rotation': page('/Rotate 90', {
    inherited: `${MEDIA} ${CROP} /Rotate 180`,
    content: `${MARK} ${HIDDEN}`,
  }),
  'an indirect media box': page('/MediaBox 5 0 R', { more: ['[0 0 595 842]'] }),
  'an indirect reversed media box': page('/MediaBox 5 0 R', { more: ['[595 842 0 0]'] }),
  'no media box': page(''),
  'a media box of three numbers': page('/MediaBox [0 0 595]'),
  'a media box of five numbers': page('/MediaBox [0 0 300 400 500]'),
  'rotations of 90, 180 and 270 and crop boxes': pages(
    [90, 180, 270].map((rotate) => `${MEDIA} ${CROP} /Rotate ${rotate}`),
    `${MARK} ${HIDDEN}`,
  ),
  'a rotation of 450': page(`${MEDIA} /Rotate 450`),
  'a rotation of -90 and a crop box': page(`${MEDIA} ${CROP} /Rotate -90`, { content: `${MARK} ${HIDDEN}` }),
  'a rotation of 45': page(`${MEDIA} /Rotate 45`),
  'a user unit': page('/MediaBox [0 0 300 421] /UserUnit 1.5', { content: '0 g 30 351 40 40 re f' }),
  'a user unit and a crop box': page('/MediaBox [0 0 300 421] /CropBox [20 211 170 411] /UserUnit 1.5', {
    content: '0 g 30 351 40 40 re f 200 20 80 180 re f',
  }),
  'objects in a stream': withObjectStream(MEDIA, false),
  'objects in a stream and a reversed media box': withObjectStream(REVERSED, false),
  'a hybrid cross-reference and a reversed media box': withObjectStream(REVERSED, true),
  'a linearized file': linearize(MEDIA),
  'a linearized file with a reversed media box': linearize(REVERSED),
  'PDF 2.0 and a reversed media box': Buffer.from(page(REVERSED).toString('latin1').replace('1.4', '2.0'), 'latin1'),
  '600 pages, the last one with a reversed media box': pages(
    Array.from({ length: 600 }, (_, at) => (at < 599 ? MEDIA : REVERSED)),
    MARK,
  ),
  'a form field': page(`${REVERSED} /Annots [5 0 R]`, {
    more: annotation('200 500 400 600', 4, '/Subtype /Widget /FT /Tx /T (a) /V (b)'),
    catalog: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] >> >>',
  }),
  'bars on tones': page(MEDIA, {
    content: `${MARK} 0.7 g 200 300 200 200 re f 0.4 g 200 100 200 150 re f 0 g 250 120 9 300 re f`,
  }),
  'a font that it does not contain': page(`${MEDIA} /Resources << /Font << /F 5 0 R >> >>`, {
    content: `${MARK} 480 560 40 60 re f BT /F 40 Tf 200 600 Td <C0C1C2C3C4> Tj ET`,
    more: [toFont('TrueType', 'Verdana', '/Lslash /zcaron /ccaron /eogonek /Sacute')],
  }),
  'an annotation that is printed': annotated(REVERSED, '200 500 400 600'),
  'a hidden annotation': annotated(REVERSED, '200 500 400 600', 6),
  'an annotation that is not printed': annotated(REVERSED, '200 500 400 600', 0),
  'an annotation outside of the crop box': annotated(`${MEDIA} ${CROP}`, '400 100 500 200'),
  'an annotation across the crop box': annotated(`${MEDIA} ${CROP}`, '228 500 428 600'),
  'an annotation outside of a small page': annotated(CROP.replace('Crop', 'Media'), '400 100 500 200'),
  'a layer that is off and an annotation across the crop box': page(
    `${MEDIA} ${CROP} /Resources << /Properties << /L 7 0 R >> >> /Annots [5 0 R]`,
    {
      content: `${MARK} /OC /L BDC 60 450 200 200 re f EMC`,
      more: [...annotation('228 500 428 600', 4), '<< /Type /OCG /Name (VOID) >>'],
      catalog: CATALOG.replace('>>', '/OCProperties << /OCGs [7 0 R] /D << /OFF [7 0 R] >> >> >>'),
    },
  ),
  'a layer for the screen and one for paper': makeLayered('/Print /View'),
  'a form field without an appearance and an annotation across the crop box': page(
    `${MEDIA} ${CROP} /Annots [5 0 R 7 0 R]`,
    {
      more: [
        ...annotation('228 600 428 700', 4),
        '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (MMMM) /Rect [60 450 300 510] /F 4 /DA (/Helv 60 Tf 0 g) >>',
      ],
      catalog: CATALOG.replace(
        '>>',
        '/AcroForm << /Fields [7 0 R] /NeedAppearances true /DA (/Helv 12 Tf 0 g) /DR << /Font << /Helv << /Type /Font ' +
          '/Subtype /Type1 /BaseFont /Helvetica-Bold >> >> >> >> >>',
      ),
    },
  ),
  'no content': writePdf([
    CATALOG,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R ${REVERSED} /Annots [5 0 R] >>`,
    'null',
    ...annotation('200 500 400 600', 4),
  ]),
  'pages that share an array of content': pages(
    [`${MEDIA} ${CROP}`, `${MEDIA} /CropBox [300 50 590 550]`],
    `[${MARK} ${HIDDEN}`,
  ),
  'a page that is used twice': pages([`${MEDIA} ${CROP}`], `${MARK} ${HIDDEN}`, [3, 3]),
  'a huge page': page('/MediaBox [0 0 14400 14400]', { content: '0 g 1000 12000 1500 1500 re f' }),
  'a tiny page': page('/MediaBox [0 0 30 20]', { content: '0 g 2 8 10 10 re f' }),
  'a page in a huge media box': page('/MediaBox [-30000 -30000 30000 30000] /CropBox [0 0 595 842]', {
    content: `${MARK} -9000 0 8000 900 re f`,
  }),
  'one cropped page of ten': pages(
    Array.from({ length: 10 }, (_, at) => (at === 6 ? `${MEDIA} ${CROP}` : MEDIA)),
    `${MARK} ${HIDDEN}`,
  ),
  'bytes before its header': Buffer.concat([Buffer.alloc(1019, 'x'), page(REVERSED)]),
  'no newline at its end': Buffer.from(text.trimEnd()),
  'spaces after its end': Buffer.concat([page(REVERSED), Buffer.alloc(MB, ' ')]),
  'an incremental update': Buffer.from(
    `${text}5 0 obj\n<< >>\nendobj\nxref\n0 0\ntrailer\n<< /Root 1 0 R /Size 6 /Prev ${text.lastIndexOf('xref\n0')} >>\nstartxref\n${text.length + 20}\n%%EOF\n`,
  ),
  'no table of its objects': Buffer.from(text.slice(0, text.indexOf('startxref'))),
  'a wrong table of its objects': Buffer.from(
    page(REVERSED)
      .toString('latin1')
      .replaceAll(/\d{10} 00000 n/g, '0000000777 00000 n'),
  ),
  'no pages': writePdf([CATALOG, '<< /Type /Pages /Kids [] /Count 0 >>']),
  'fewer pages than it counts': writePdf([
    CATALOG,
    '<< /Type /Pages /Kids [3 0 R] /Count 3 >>',
    `<< /Type /Page /Parent 2 0 R ${MEDIA} >>`,
  ]),
  'no bytes': Buffer.alloc(0),
  'its header after 1020 bytes': Buffer.concat([Buffer.alloc(1020, 'x'), PLAIN]),
  'its header after 1025 bytes': Buffer.concat([Buffer.alloc(1025, 'x'), PLAIN]),
  'an end before its trailer': PLAIN.subarray(0, text.indexOf('trailer')),
  'noise after its header': Buffer.from(`%PDF-1.4\n${'noise '.repeat(MB)}`),
  'noise and a trailer': Buffer.from(`%PDF-1.4\n${'noise '.repeat(500)}\ntrailer\n<< /Root 1 0 R >>\n`),
}

/** @param permissions 4 allows printing. */
export async function encryptPdf(title: string, { user, permissions }: { user: string; permissions: number }) {
  const directory = await mkdtemp(join(tmpdir(), 'platen-pdf-'))
  const file = join(directory, 'document')
  await writeFile(file, ODD_PDFS[title] as Buffer)
  const document = await openPdfDocument(file).finally(() => rm(directory, { recursive: true }))
  if (!document.pdfium.EPDF_SetEncryption(document.handle, user, 'owner', permissions))
    throw new Error('PDFium could not encrypt the document.')
  return saveDocument(document, SAVE.COMPLETE)
}

export interface DrawnPage {
  /** In points. */
  width: number
  height: number
  /** The left, top, right and bottom edge of its ink in points; undefined for an empty page. */
  ink: [number, number, number, number] | undefined
  /** In square points. */
  amount: number
}

/** A longer edge is drawn with this number of pixels. */
const EDGE_MAX_PIXELS = 421
const DARK = 128

/** The first pages as PDFium shows them. */
export async function drawPages(file: string, count = 12): Promise<DrawnPage[]> {
  const pdf = await openPdf(file)
  return Array.from({ length: Math.min(pdf.count, count) }, (_, index) => {
    const { width, height } = pdf.getSize(index)
    const scale = Math.min(1, EDGE_MAX_PIXELS / Math.max(width, height))
    const [pageWidth, pageHeight] = [Math.round(width * scale), Math.round(height * scale)]
    const part = { x: 0, y: 0, width: pageWidth, height: pageHeight }
    const pixels = pdf.render(index, { pageWidth, pageHeight, quarterTurns: 0, gray: true, part })
    const { ink, count } = findInk(pageWidth, pageHeight, (at) => pixels[at * 4] ?? 0)
    return { width, height, ink: ink?.map((edge) => edge / scale) as DrawnPage['ink'], amount: count / scale ** 2 }
  })
}

/** @param read the brightness of a pixel. */
export function findInk(width: number, height: number, read: (at: number) => number) {
  let [left, top, right, bottom, count] = [width, height, 0, 0, 0]
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      if (read(at) >= DARK) continue
      count++
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y + 1)
    }
  return { ink: count > 0 ? ([left, top, right, bottom] as const) : undefined, count }
}
