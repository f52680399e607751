/**
 * Splits a JSON body, as its bytes come in, into the text of its top-level member `content` and everything else. The former is
 * handed on piece by piece and never held; the latter is small, and is parsed at the end with a stand-in where the text was.
 * Used by `receive-print-job.ts`, a hot path of the design, and by `read-json.ts`, so that one set of limits holds for all bodies.
 *
 * Follows strings, nesting and keys, which is enough to find the member in any valid body. It leaves the rest of the grammar to
 * the parser: one string stands where another one stood, so what is left is valid JSON exactly when the body was.
 */
import { BODY_MAX_BYTES } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { parse } from 'secure-json-parse'
import { quoted } from '../request/invalid-request.ts'
import { unescapeString } from './json-string.ts'

/** More than nearly all have; it is doubled when it is full. */
const REST_START_BYTES = 1024
const DEPTH_MAX = 8
const KEYS_MAX = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const STAND_IN = 0x78 // x
const NOTHING = Buffer.alloc(0)

export interface ContentScanner {
  /**
   * @returns the next bytes of the text, unescaped; often none. They may lie in `chunk`.
   * @throws ApiError `invalid_request`
   */
  push(chunk: Buffer): Buffer
  /**
   * @returns the parsed body. A text that was handed on is `"x"` in it, an empty one `""`.
   * @throws ApiError `invalid_request`
   */
  end(): unknown
}

/** @param member that is handed on; null: none is, and the same limits hold for the whole body. */
export function createContentScanner(member: string | null = 'content'): ContentScanner {
  let rest = Buffer.allocUnsafe(REST_START_BYTES)
  let restLength = 0
  /** The keys of each object that is open; null for an array. */
  const open: (Set<string> | null)[] = []
  let place: 'key' | 'value' | 'other' = 'value'
  let lastKey = ''
  let inside: 'structure' | 'key' | 'string' | 'content' = 'structure'
  let stringStart = 0
  let escaped = false
  let contentFound = false
  const readContent = unescapeString()

  function keep(byte: number): void {
    if (restLength === BODY_MAX_BYTES)
      throw new ApiError(
        'invalid_request',
        `${member === null ? 'The' : `Apart from \`${member}\` the`} body may have at most ${BODY_MAX_BYTES} bytes.`,
      )
    if (restLength === rest.length) rest = Buffer.concat([rest], rest.length * 2)
    rest[restLength++] = byte
  }

  function enter(keys: Set<string> | null): void {
    open.push(keys)
    if (open.length > DEPTH_MAX)
      throw new ApiError('invalid_request', `The body is nested more than ${DEPTH_MAX} levels deep.`)
    place = keys ? 'key' : 'value'
  }

  function startString(): void {
    const isContent = place === 'value' && open.length === 1 && open[0] && lastKey === member && !contentFound
    inside = isContent ? 'content' : place === 'key' ? 'key' : 'string'
    contentFound ||= inside === 'content'
    stringStart = restLength - 1
    place = 'other'
  }

  function endKey(): void {
    lastKey = parseRest(rest.subarray(stringStart, restLength)) as string
    const keys = open.at(-1)
    if (keys?.has(lastKey)) throw new ApiError('invalid_request', `${quoted(lastKey)} was sent twice in one object.`)
    keys?.add(lastKey)
    if (keys && keys.size > KEYS_MAX)
      throw new ApiError('invalid_request', `An object in the body has more than ${KEYS_MAX} members.`)
  }

  function structure(byte: number): void {
    if (byte === QUOTE) startString()
    else if (byte === OPEN_OBJECT) enter(new Set())
    else if (byte === OPEN_ARRAY) enter(null)
    else if (byte === COLON) place = 'value'
    else if (byte === COMMA) place = open.at(-1) ? 'key' : 'value'
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      open.pop()
      place = 'other'
    }
  }

  function string(byte: number): void {
    if (escaped) escaped = false
    else if (byte === BACKSLASH) escaped = true
    else if (byte === QUOTE) {
      if (inside === 'key') endKey()
      inside = 'structure'
    }
  }

  return {
    push(chunk) {
      let content: Buffer = NOTHING
      let at = 0
      while (at < chunk.length) {
        if (inside === 'content') {
          const piece = readContent(chunk.subarray(at))
          at += piece.consumed
          content = piece.text
          if (content.length > 0 && rest[restLength - 1] === QUOTE) keep(STAND_IN)
          if (piece.ended) {
            keep(QUOTE)
            inside = 'structure'
          }
          continue
        }
        const byte = chunk[at++] as number
        keep(byte)
        if (inside === 'structure') structure(byte)
        else string(byte)
      }
      return content
    },
    end: () => parseRest(rest.subarray(0, restLength)),
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The parser's own message shows a part of the body: it is neither sent nor logged. */
function parseRest(text: Buffer): unknown {
  try {
    return parse(utf8.decode(text), { protoAction: 'error', constructorAction: 'error' })
  } catch {
    const isEmpty = text.length === 0
    throw new ApiError(
      'invalid_request',
      isEmpty ? 'The body is empty. Send a JSON object.' : 'The body is not valid JSON in UTF-8.',
    )
  }
}
