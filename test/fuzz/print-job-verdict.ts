/** What the specification says about a body of `POST /v1/printjobs`, told from the whole bytes and with the platform's parser. */
import { createHash } from 'node:crypto'
import { PRINT_JOB } from '@platen/gateway/upload/print-job-request.ts'
import { BAD_URLS, type Body, GOOD_URLS } from './print-job-bodies.ts'

export interface KnownPrinter {
  id: string
  mode: string
  enabled: boolean
}

export type Verdict =
  | { codes: ['ok']; shown: Record<string, unknown>; document: Buffer }
  /** One of these, and nothing is stored. */
  | { codes: string[] }

const DOCUMENT_LIMIT_BYTES = 26_214_400
const READ_ON_LIMIT_BYTES = 64 * 1024
const refused = (...codes: string[]): Verdict => ({ codes })

export function judge(body: Body, mode: string, printers: KnownPrinter[]): Verdict {
  const fields = parseJson(body.bytes)
  if (fields === undefined) {
    // Text that is no JSON may stand in `content`, which is judged behind everything else, and may be told as either.
    const { codes } = judgeFields(parseJson(legible(body.bytes)), body.repeats, mode, printers)
    return refused(...codes.filter((code) => code !== 'ok'), 'invalid_request', 'invalid_content')
  }
  const verdict = judgeFields(fields, body.repeats, mode, printers)
  const content = typeof fields === 'object' && fields !== null && 'content' in fields ? String(fields.content) : ''
  // A fault with much text behind it is told before that has come.
  const toldEarly = content.length > READ_ON_LIMIT_BYTES && !isStrictBase64(content)
  return toldEarly ? refused(...verdict.codes, 'invalid_content') : verdict
}

function judgeFields(fields: unknown, repeats: boolean, mode: string, printers: KnownPrinter[]): Verdict {
  const parsed = PRINT_JOB.safeParse(fields)
  if (!parsed.success || repeats || namesProto(fields)) return refused('invalid_request')
  const printer = printers.find(({ id }) => id === parsed.data.printerId)
  if (!printer) return refused('not_found')
  if (printer.mode !== mode) return refused('mode_mismatch')
  if (!printer.enabled) return refused('printer_disabled')
  const { content, authentication: _, ...others } = parsed.data
  // The service behind the gateway takes any reprint.
  if (content === undefined)
    return { codes: ['ok'], document: Buffer.alloc(0), shown: { qty: others.qty, mode, state: 'queued' } }
  const { contentType } = others
  if (contentType?.endsWith('_uri')) {
    if (BAD_URLS.includes(content)) return refused('invalid_content_url')
    // Damage may have made another good one of a good one.
    if (!GOOD_URLS.includes(content)) return refused('invalid_content_url', 'ok')
    const shown = { ...others, mode, state: 'queued', fileSize: null, fileSha256: null }
    return { codes: ['ok'], document: Buffer.alloc(0), shown }
  }
  const document = Buffer.from(content, 'base64')
  if (!isStrictBase64(content) || document.length === 0) return refused('invalid_content')
  if (document.length > DOCUMENT_LIMIT_BYTES) return refused('content_too_large')
  if (contentType === 'pdf_base64' && document.toString('latin1', 0, 5) !== '%PDF-') return refused('invalid_content')
  const fileSha256 = createHash('sha256').update(document).digest('hex')
  return { codes: ['ok'], document, shown: { ...others, mode, state: 'queued', fileSize: document.length, fileSha256 } }
}

/** With something that JSON takes in the place of what it does not. */
function legible(bytes: Buffer): Buffer {
  const text = bytes.toString().replaceAll(/[\t\n\r]/g, ' ')
  return Buffer.from([...text].map((character) => (character < ' ' ? '?' : character)).join(''))
}

function isStrictBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text
}

/** @returns undefined for what is no JSON. */
export function parseJson(bytes: Buffer): unknown {
  try {
    // A byte order mark at the start is read over here as it is there (RFC 8259, section 8.1, allows that).
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

/** Such a name is refused everywhere, also where zod reads over it. */
export function namesProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(namesProto)
}
