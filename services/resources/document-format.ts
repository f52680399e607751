/**
 * Recognizes documents by their first bytes. All parts that must know a format use it, also the dashboard, so it
 * imports nothing. Reference: docs/reference/print-jobs.md#form.
 */

/** The bytes that decide. Names of files in an Office document follow some kilobytes of other entries. */
export const FORMAT_START_BYTES = 4096

/** The bytes that decide whether it is a PDF or an image. */
const MARK_BYTES = 12

export type DocumentFormat = 'pdf' | 'image' | 'raw'

export interface RecognizedDocument {
  /** "ZPL", "a Word document"; undefined if it is not recognized. */
  name: string | undefined
  /** Undefined if no printer is known to print it. */
  format: DocumentFormat | undefined
  /** Instead of sending it: "Save it as PDF". Empty with a format. */
  advice: string
}

type Kind = RecognizedDocument & { pattern: RegExp }

const image = (name: string, pattern: RegExp): Kind => ({ name, format: 'image', pattern, advice: '' })
const language = (name: string, pattern: RegExp): Kind => ({ name, format: 'raw', pattern, advice: '' })
const other = (name: string, pattern: RegExp, advice = 'Save it as PDF'): Kind => ({
  name,
  format: undefined,
  pattern,
  advice,
})
const foreignImage = (name: string, pattern: RegExp) => other(name, pattern, 'Save it as PNG or JPEG')
const archive = (name: string, pattern: RegExp) => other(name, pattern, 'Send each of its files')

/** The name of a web page, which a server sends in place of a document. */
export const WEB_PAGE = 'a web page (HTML)'

/** An entry of a ZIP archive with this name, not only the first one. */
const entry = (name: string) => new RegExp(`^PK␃␄(?:[\\s\\S]*PK␃␄)?[\\s\\S]{26}${name}`)

/** The patterns have the pictures of Unicode for control characters: ␛ is 1b. These need `MARK_BYTES`. */
const MARKED_KINDS: Kind[] = [
  { name: 'PDF', format: 'pdf', pattern: /^%PDF-/, advice: '' },
  image('PNG', /^\u0089PNG\r\n␚\n/),
  image('JPEG', /^\u00ff\u00d8\u00ff/),
  image('GIF', /^GIF8[79]a/),
  image('TIFF', /^(II[*+]␀|MM␀[*+])/),
  image('WebP', /^RIFF[\s\S]{4}WEBP/),
]

/** Labels begin with the size, a setting or a field. */
const TSPL = [
  /^(\u00ef\u00bb\u00bf)?\s*(SIZE|GAP|BLINE|DIRECTION|REFERENCE|DENSITY|SPEED|OFFSET|SHIFT|SOUND)\s+-?[\d.]/,
  /^\s*(CLS|HOME|FORMFEED|SELFTEST)[ \t]*\r?\n/,
  /^\s*(SET (CUTTER|HEAD|PEEL|PRINTKEY|REPRINT|RIBBON|TEAR)\b|CODEPAGE \w|DOWNLOAD ([EF], ?)?")/,
  /^\s*(TEXT|BARCODE|QRCODE|DMATRIX|PDF417|BITMAP|BAR|BOX) +\d+ *,/,
]

/** The most specific first. No pattern can match one text in many ways, because documents are untrusted. */
const KINDS: Kind[] = [
  foreignImage('an AVIF image', /^[\s\S]{4}ftyp(avi[fs]|mif1[\s\S]{4,40}avif)/),
  foreignImage('a HEIC image', /^[\s\S]{4}ftyp(hei[cfmsx]|hev[cmsx]|mif1|msf1)/),
  foreignImage('a BMP image', /^BM[\s\S]{4}␀{4}/),
  foreignImage('a JPEG XL image', /^(\u00ff\n|␀␀␀␌JXL )/),
  foreignImage('a JPEG 2000 image', /^␀␀␀␌jP {2}/),
  foreignImage('a Photoshop image', /^8BPS␀/),
  other('a video', /^[\s\S]{4}ftyp/, 'Print a picture of it'),
  other('an OpenDocument text', entry('mimetypeapplication/vnd\\.oasis\\.opendocument\\.text')),
  other('an OpenDocument spreadsheet', entry('mimetypeapplication/vnd\\.oasis\\.opendocument\\.spreadsheet')),
  other('an OpenDocument presentation', entry('mimetypeapplication/vnd\\.oasis\\.opendocument\\.presentation')),
  other('an OpenDocument file', entry('mimetypeapplication/vnd\\.oasis\\.opendocument')),
  other('a Word document', entry('word/')),
  other('an Excel workbook', entry('xl/')),
  other('a PowerPoint presentation', entry('ppt/')),
  other('an XPS document', entry('(Documents/|FixedDoc)')),
  other('an Office document', entry('\\[Content_Types\\]\\.xml')),
  other('an e-book', entry('mimetypeapplication/epub')),
  archive('a ZIP archive', /^PK(␃␄|␅␆|␇␈)/),
  other('an Office document (Word, Excel or PowerPoint)', /^\u00d0\u00cf␑\u00e0\u00a1\u00b1␚\u00e1/),
  archive('a gzip archive', /^␟\u008b/),
  archive('a 7-Zip archive', /^7z\u00bc\u00af'␜/),
  archive('a RAR archive', /^Rar!␚␇/),

  language('PostScript', /^␄?%!|^(␛%-12345X)?@PJL[\s\S]*LANGUAGE\s*=\s*POSTSCRIPT|^␛%-12345X%!/i),
  language('PCL', /^(␛%-12345X)?@PJL|^␛(E|%-?\d|&[a-z]|\*[a-z]|\([s\d])|^\) HP-PCL XL;/),
  language('Prescribe', /^!R!/),
  language('HP-GL', /^(␛\.\(;?)?IN;/),
  language('PWG Raster', /^RaS2/),
  language('Apple Raster', /^UNIRAST␀/),
  // Label designers begin with `CT~~CD`, and files of Windows with a byte order mark.
  language('ZPL', /^(\u00ef\u00bb\u00bf)?\s*(␐?CT~~CD,|\^[A-Z]{2}|~[A-Z]{2})/i),
  language('EZPL', /^\s*\^[A-Z]\d/),
  language('CPCL', /^\s*! ?(\d+ \d+ \d+ \d+ \d+|U1 |UTILITIES|DF |UF )/),
  ...TSPL.map((pattern) => language('TSPL', pattern)),
  language(
    'EPL',
    /^\s*(EPL2|N|O[CD]?|Z[BT]|JF|D\d{1,2}|S\d|[Qq]\d+(,\d+)*|R\d+,\d+|I8,\w+(,\d+)?|[FG]K"[^"\r\n]*")[ \t]*\r?\n/,
  ),
  language('SBPL', /^␂?␛A(␛|\r|\n|\d|$)/),
  language('DPL', /^[␁␂][A-Za-z*#][\w-]{0,12}\r/),
  language('IPL', /^␂[ -~␛␟]{1,20}␃/),
  language('TPCL', /^\s*\{[A-Z][\w;,.+-]*\|\}/),
  language('Star', /^␛(␝|␞|\*r|@␛␝)/),
  // Text of a terminal begins with a colour.
  language('ESC/POS', /^[␀␌␘\r\n]*(␛(?!\[\d*(;\d+)*m)[ -}␎␏␔␙␛]|␝[!-}]|␐[␄␅␔]|␜[!-}])/),

  other(
    WEB_PAGE,
    /^(\u00ef\u00bb\u00bf)?\s*(<\?xml[^>]*>\s*)?(<!--(?:(?!-->)[\s\S])*-->\s*)*<(!doctype\s+html|html|head|body|script|style|title|meta|link|table|div|p|h\d|span|form|br|center)\b/i,
  ),
  foreignImage('an SVG image', /^(\u00ef\u00bb\u00bf)?\s*(<(\?xml|!--|!DOCTYPE\s+svg)[\s\S]*)?<svg[\s>]/i),
  other('an RTF document', /^\s*\{\\rtf/),
  other('XML', /^(\u00ef\u00bb\u00bf)?\s*<(\?xml|[a-z][\w:.-]*[\s/>])/i, 'Make a PDF of it'),
  other('JSON', /^(\u00ef\u00bb\u00bf)?\s*(\{\s*["}]|\[\s*([{["\d\]-]|true|false|null))/, 'Make a PDF of it'),
  other('a PDF behind other bytes', /^[\s\S]{1,1024}%PDF-\d/, 'Remove the bytes before `%PDF-`'),
  other(
    'base64 text',
    /^\s*(data:[\w/.+-]*;base64,[\w+/-]|[A-Za-z0-9+/]{40}[A-Za-z0-9+/\r\n]*(=[=\r\n]*)?$)/,
    'Send the bytes that it stands for',
  ),
  // A receipt can begin with text.
  language('ESC/POS', /^[\t\n\r␌ -~\u0080-\u00ff]+(␛[!-Z\\-}]|␝[!-}]|␐␄|␜[!-}])/),
  other('text in UTF-16', /^(\u00ff\u00fe|\u00fe\u00ff)/),
  other('plain text', /^[\t\n\r␌␚ -~\u0080-\u00ff]+$/),
]

const UNKNOWN = { name: undefined, format: undefined, advice: 'Save it as PDF' }

/** U+2400 is the picture of the byte 0. */
const PICTURES = 0x2400
const LINE_ENDS = new Set([9, 10, 13])

/** @param document its first `FORMAT_START_BYTES` bytes, or more, or all of a shorter document. */
export function recognize(document: Uint8Array): RecognizedDocument {
  const mark = toText(document.subarray(0, MARK_BYTES))
  const marked = MARKED_KINDS.find(({ pattern }) => pattern.test(mark))
  const { name, format, advice } = marked ?? recognizeStart(document)
  return { name, format, advice }
}

function recognizeStart(document: Uint8Array): RecognizedDocument {
  const start = toText(document.subarray(0, FORMAT_START_BYTES))
  return KINDS.find(({ pattern }) => pattern.test(start)) ?? UNKNOWN
}

const toText = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => String.fromCharCode(byte < 32 && !LINE_ENDS.has(byte) ? PICTURES + byte : byte)).join('')

/** Pages of pixels. A printer can understand them as its own language, and they can be converted as images. */
const RASTERS = ['PWG Raster', 'Apple Raster']

/** Whether a document whose sender calls it an image or a PDF can be one. */
export const matchesFormat = ({ name, format }: RecognizedDocument, expected: 'pdf' | 'image'): boolean =>
  format === expected || (expected === 'image' && RASTERS.includes(name ?? ''))

/** What a document without a format is, and what to do: "This is a Word document. Save it as PDF". */
export const describeOther = ({ name, advice }: RecognizedDocument): string =>
  `${name === undefined ? 'The format of this document is not known' : `This is ${name}`}. ${advice}`
