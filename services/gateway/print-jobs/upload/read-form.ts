/**
 * Reads a print job from `multipart/form-data`: its document is the part `file`, `options`, `metadata` and
 * `authentication` are parts with JSON, and each other field is a part of its name. Gives the fields the form of a JSON
 * body, so that the same job is the same job in both. Reference: docs/reference/print-jobs.md#form,
 * https://www.rfc-editor.org/rfc/rfc7578
 */
import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { type DocumentFormat, describeOther } from '@platen/resources/document-format.ts'
import { BODY_MAX_BYTES, DOCUMENT_MAX_BYTES, PRINT_JOB_LIMITS } from '@platen/resources/limits.ts'
import { quoted, shortened } from '@platen/resources/text.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { createContentScanner } from '../../request/content-scanner.ts'
import { createDocumentCheck } from './document-decoder.ts'
import { isUri, PRINT_JOB_FIELDS } from './print-job-request.ts'
import type { BodyReader } from './receive-print-job.ts'

/** The remainder is for the other parts and their headers. */
export const FORM_LIMIT_BYTES = DOCUMENT_MAX_BYTES + 1024 * 1024

const FILE = 'file'
const JSON_FIELDS = ['options', 'metadata', 'authentication']
const FORMATS: string[] = ['pdf', 'image', 'raw'] satisfies DocumentFormat[]
const INTEGER_FIELDS = ['qty', 'expireAfter']
const BOOLEAN_FIELDS = ['retain', 'hold']
/** RFC 2045 names others, which RFC 7578 deprecates for forms. */
const PLAIN_ENCODINGS = ['', '7bit', '8bit', 'binary']
const INTEGER = /^-?\d{1,15}$/
const PARTS_MAX = 32
const PART_HEADERS_MAX = 16
const PART_HEADERS_MAX_BYTES = 8 * 1024
/** Stands for the document in the fields, as for a JSON body. */
const STAND_IN = 'x'
const NOTHING = Buffer.alloc(0)

/**
 * @param onContent receives the document as the base64 text that a JSON body would have, or its URL.
 * @throws ApiError `invalid_request` if the header has no boundary.
 */
export function createFormReader(headers: IncomingHttpHeaders, onContent?: (text: Buffer) => void): BodyReader {
  const form = openForm(headers)
  const document = createDocumentCheck(FILE)
  const encode = createBase64Encoder(onContent)
  const values = new Map<string, string>()
  let hasFile = false
  let fileTitle: string | undefined
  let sizeBytes = 0
  let parts = 0
  let fault: Error | undefined
  let arrived: Buffer[] = []
  const refuse = (message: string, param?: string) => {
    fault ??= refusal(message, param)
  }

  form.on('file', (name: string | undefined, part: Readable, fileName: string | undefined, encoding: string) => {
    part.on('error', () => undefined) // The form has the same error.
    parts++
    const found = findFault(name, fileName, encoding, name === FILE ? hasFile : values.has(name ?? ''))
    if (found !== undefined) refuse(found, name === undefined ? undefined : shortened(name))
    if (name === FILE) {
      hasFile = true
      fileTitle = toTitle(fileName)
      part.on('data', (bytes: Buffer) => void arrived.push(bytes))
    } else readText(name ?? '', part)
  })
  for (const limit of ['partsLimit', 'filesLimit'] as const)
    form.on(limit, () => refuse(`A form may have at most ${PARTS_MAX} parts.`))

  function readText(name: string, part: Readable): void {
    const pieces: Buffer[] = []
    values.set(name, '')
    part.on('data', (bytes: Buffer) => {
      sizeBytes += bytes.length
      if (sizeBytes > BODY_MAX_BYTES) refuse(`The parts beside \`file\` may have at most ${BODY_MAX_BYTES} bytes.`)
      else pieces.push(bytes)
    })
    part.on('end', () => {
      const text = Buffer.concat(pieces)
      if (!isUtf8(text)) refuse(`The part ${quoted(name)} is not UTF-8. Send its text in UTF-8.`, shortened(name))
      values.set(name, text.toString())
    })
  }

  const refuseMalformed = () => refuse('The form is cut off or malformed. It must end with its boundary.')
  let stop: (() => void) | undefined
  form.on('error', () => {
    refuseMalformed()
    stop?.()
  })

  /**
   * The parser works without waiting, so a step that is not done before the next turn of the event loop never will be:
   * some malformed headers of a part stop it without an error.
   */
  async function run(step: (done: () => void) => void): Promise<void> {
    await new Promise<void>((resolve) => {
      stop = resolve
      const turn = setImmediate(() => {
        refuseMalformed()
        resolve()
      })
      step(() => {
        clearImmediate(turn)
        resolve()
      })
    })
  }

  function take(): Buffer {
    if (fault) throw fault
    const bytes = arrived.length === 1 ? (arrived[0] ?? NOTHING) : Buffer.concat(arrived)
    arrived = []
    document.push(bytes)
    encode.push(bytes)
    return bytes
  }

  return {
    async push(chunk) {
      await run((done) => form.write(chunk, () => done()))
      return take()
    },
    async end() {
      await run((done) => {
        form.once('finish', done)
        form.end()
      })
      if (countParts(form) > parts)
        refuse(
          'A part of the form is malformed. It needs `Content-Disposition: form-data` with a `name`, and an empty line after its headers.',
        )
      const bytes = take()
      encode.end()
      const url = values.get('content')
      if (url !== undefined) onContent?.(Buffer.from(url))
      return bytes
    },
    fields: () => toFields(values, hasFile ? document.recognized().format : undefined, hasFile),
    fileTitle: () => fileTitle,
    text: () => values.get('content'),
    checkedDocument: document.checked,
    requireFormat() {
      const recognized = document.recognized()
      if (!hasFile || values.has('contentType') || recognized.format !== undefined) return
      const consent = 'or send it with `contentType=raw` if the printer understands it'
      throw new ApiError('invalid_content', `${describeOther(recognized)}, ${consent}.`, { param: FILE })
    },
  }
}

function openForm(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': headers['content-type'] ?? '' },
      // The bytes of fields are needed as well: the parser replaces those that are not UTF-8.
      isPartAFile: () => true,
      limits: {
        parts: PARTS_MAX,
        files: PARTS_MAX,
        headerPairs: PART_HEADERS_MAX,
        headerSize: PART_HEADERS_MAX_BYTES,
      },
    })
  } catch {
    throw refusal(
      'The header `Content-Type` of a form needs its `boundary`. Let the program that writes the form set this header.',
      'Content-Type',
    )
  }
}

/** The parser has no event for a part that it skips, which could be `options`. */
const countParts = (form: BusboyInstance): number =>
  (form as unknown as { _parser: { _nparts: number } })._parser._nparts

/** @param isSecond whether the form has a part of this name already. @returns undefined for a part without a fault. */
function findFault(
  name: string | undefined,
  fileName: string | undefined,
  encoding: string,
  isSecond: boolean,
): string | undefined {
  if (name === undefined) return 'A part of the form has no name.'
  if (isSecond && name === FILE) return 'A form has one `file`. Send one job for each document.'
  if (isSecond) return `The part ${quoted(name)} was sent twice.`
  if (fileName !== undefined && Object.hasOwn(PRINT_JOB_FIELDS.shape, name))
    return `The part ${quoted(name)} was sent as a file. Send it as a field, without a file name, also if it is JSON.`
  if (fileName !== undefined && name !== FILE) return `A document must be the part \`file\`, not ${quoted(name)}.`
  if (!PLAIN_ENCODINGS.includes(encoding.trim()))
    return `The part ${quoted(name)} has the \`Content-Transfer-Encoding\` ${quoted(encoding)}. Send its bytes unchanged, without this header.`
  return undefined
}

/** The name of a file without its folders, as the title of a job. Undefined if nothing is left of it. */
function toTitle(fileName = ''): string | undefined {
  const name = (fileName.split(/[\\/]/).at(-1) ?? '').toWellFormed().replaceAll('\0', '')
  return [...name].slice(0, PRINT_JOB_LIMITS.titleLengthMax).join('') || undefined
}

/**
 * @param format of `file`, by its first bytes; undefined without it, or if it is not recognized.
 * @returns the body that the same job has as JSON.
 */
function toFields(values: Map<string, string>, format: DocumentFormat | undefined, hasFile: boolean): unknown {
  const fields = new Map<string, unknown>(values)
  for (const name of JSON_FIELDS) if (fields.has(name)) fields.set(name, parseJson(name, values.get(name) ?? ''))
  for (const name of INTEGER_FIELDS) {
    const text = values.get(name)
    if (text !== undefined && INTEGER.test(text)) fields.set(name, Number(text))
  }
  for (const name of BOOLEAN_FIELDS) {
    const text = values.get(name)
    if (text === 'true' || text === 'false') fields.set(name, text === 'true')
  }
  const contentType = values.get('contentType')
  if (hasFile) {
    if (values.has('content')) throw refusal('`content` cannot be combined with `file`.', 'content')
    fields.set('contentType', toContentType(contentType, format))
    fields.set('content', STAND_IN)
  } else if (values.has('content')) {
    if (!isUri(contentType))
      throw refusal(
        '`content` of a form must be a URL, with `contentType` `pdf_uri`, `image_uri` or `raw_uri`. Send a document as `file`.',
        'contentType',
      )
    fields.set('content', values.get('content') === '' ? '' : STAND_IN)
  } else if (!values.has('reprintOf') && FORMATS.includes(contentType ?? ''))
    throw refusal('Missing: `file`, the part of the form with the document. With curl: `-F file=@invoice.pdf`.', FILE)
  return Object.fromEntries(fields)
}

function toContentType(given: string | undefined, format: DocumentFormat = 'raw'): string {
  if (given !== undefined && !FORMATS.includes(given))
    throw refusal('`contentType` of a `file` must be `pdf`, `image` or `raw`.', 'contentType')
  return `${given ?? format}_base64`
}

/** Within the limits of a JSON body. */
function parseJson(name: string, text: string): unknown {
  try {
    const scanner = createContentScanner(null)
    scanner.push(Buffer.from(text))
    return scanner.end()
  } catch (error) {
    if (error instanceof ApiError) throw refusal(`\`${name}\` must be JSON: ${error.message}`, name)
    throw error
  }
}

/** Writes base64 text piece by piece. Does nothing without `onText`. */
function createBase64Encoder(onText: ((text: Buffer) => void) | undefined) {
  let carry = NOTHING
  const write = (bytes: Buffer) => onText?.(Buffer.from(bytes.toString('base64'), 'latin1'))
  return {
    push(bytes: Buffer): void {
      if (!onText) return
      const all = carry.length > 0 ? Buffer.concat([carry, bytes]) : bytes
      const whole = all.length - (all.length % 3)
      write(all.subarray(0, whole))
      carry = Buffer.from(all.subarray(whole))
    },
    end: () => void write(carry),
  }
}

const refusal = (message: string, param?: string) => new ApiError('invalid_request', message, { param })
