/**
 * Splits a JSON body, as its bytes arrive, into the text of its member `content` and the rest. The text is returned
 * piece by piece and never held. In the body of a batch each object of the array has such a member. The rest is small
 * and is parsed at the end, with a stand-in for the text. Used by `upload/receive-print-job.ts`, which is a hot path,
 * and by `read-json.ts`, so that one set of limits applies to all bodies.
 *
 * Follows strings, nesting and keys, which is enough to find the member in any valid body. The parser checks the rest
 * of the grammar: because a string replaces a string, the rest is valid JSON exactly when the body was.
 */
import { isUtf8 } from 'node:buffer'
import { BODY_MAX_BYTES } from '@platen/resources/limits.ts'
import { quoted, shortened } from '@platen/resources/text.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { visit } from 'jsonc-parser'
import { parse } from 'secure-json-parse'
import { unescapeString } from './json-string.ts'

/** Larger than nearly all bodies without their content. Doubled when it is full. */
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
   * @returns the next bytes of the text, unescaped; often none. They can be a view of `chunk`.
   * @throws ApiError `invalid_request`
   */
  push(chunk: Buffer): Buffer
  /**
   * @returns the parsed body, in which `"x"` replaces the text, or `""` an empty text.
   * @throws ApiError `invalid_request`
   */
  end(): unknown
}

/** How the texts of several objects are read. */
export interface ScannedObjects {
  /** The level of the objects: 3 for those of an array in a member of the body. */
  depth: number
  /** The limit of the body without the texts. */
  maxBytes: number
  /** Receives the text of each object piece by piece. @param n counts the objects from 0. */
  onText(n: number, text: Buffer, ended: boolean): void
}

/**
 * @param member whose text `push` returns; null: none, and the limits apply to the whole body.
 * @param objects if it is not a member of the body, but of several objects. `push` then returns nothing of use.
 */
export function createContentScanner(member: string | null = 'content', objects?: ScannedObjects): ContentScanner {
  const { depth = 1, maxBytes = BODY_MAX_BYTES } = objects ?? {}
  let rest = Buffer.allocUnsafe(REST_START_BYTES)
  let restLength = 0
  /** The keys of each open object; null for an array. */
  const open: (Set<string> | null)[] = []
  let expected: 'key' | 'value' | 'other' = 'value'
  let lastKey = ''
  let inside: 'structure' | 'key' | 'string' | 'content' = 'structure'
  let stringStart = 0
  let escaped = false
  let contentFound = false
  let objectsBegun = 0
  /** Where `rest` has each stand-in, and how many bytes shorter it is there than the body. */
  const removed: { at: number; bytes: number }[] = []
  const readContent = unescapeString()

  function keep(byte: number): void {
    if (restLength === maxBytes)
      throw refusal(
        `${member === null ? 'The' : `Apart from \`${member}\` the`} body may have at most ${maxBytes} bytes.`,
      )
    if (restLength === rest.length) rest = Buffer.concat([rest], rest.length * 2)
    rest[restLength++] = byte
  }

  function enter(keys: Set<string> | null): void {
    open.push(keys)
    if (open.length > DEPTH_MAX) throw refusal(`The body is nested more than ${DEPTH_MAX} levels deep.`)
    expected = keys ? 'key' : 'value'
    if (open.length !== depth) return
    objectsBegun++
    contentFound = false
  }

  function startString(): void {
    const isContent =
      expected === 'value' && open.length === depth && open[depth - 1] && lastKey === member && !contentFound
    inside = isContent ? 'content' : expected === 'key' ? 'key' : 'string'
    stringStart = restLength - 1
    if (inside === 'content') {
      contentFound = true
      removed.push({ at: stringStart, bytes: 0 })
    }
    expected = 'other'
  }

  function endKey(): void {
    lastKey = parseRest(stringStart) as string
    const keys = open.at(-1)
    if (keys?.has(lastKey)) throw refusal(`${quoted(lastKey)} was sent twice in one object.`, shortened(lastKey))
    keys?.add(lastKey)
    if (keys && keys.size > KEYS_MAX) throw refusal(`An object in the body has more than ${KEYS_MAX} members.`)
  }

  function structure(byte: number): void {
    if (byte === QUOTE) startString()
    else if (byte === OPEN_OBJECT) enter(new Set())
    else if (byte === OPEN_ARRAY) enter(null)
    else if (byte === COLON) expected = 'value'
    else if (byte === COMMA) expected = open.at(-1) ? 'key' : 'value'
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      open.pop()
      expected = 'other'
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

  /** Does not show the message of the parser, which contains a part of the body. */
  function parseRest(start: number): unknown {
    const bytes = rest.subarray(start, restLength)
    if (bytes.length === 0) throw refusal('The body is empty. Send a JSON object.')
    if (!isUtf8(bytes)) throw refusal('The body is not valid UTF-8.')
    const text = bytes.toString()
    try {
      return parse(text, { protoAction: 'error', constructorAction: 'error' })
    } catch {
      const at = findSyntaxError(text)
      if (at === undefined) throw refusal('The keys `__proto__` and `constructor.prototype` are not allowed.')
      const restOffset = start + Buffer.byteLength(text.slice(0, at))
      const before = removed.filter(({ at }) => restOffset > at)
      const bodyOffset = before.reduce((sum, { bytes }) => sum + bytes, restOffset)
      throw refusal(`The body is not valid JSON at byte offset ${bodyOffset}.`)
    }
  }

  return {
    push(chunk) {
      let content: Buffer = NOTHING
      let at = 0
      while (at < chunk.length) {
        if (inside === 'content') {
          const piece = readContent(chunk.subarray(at))
          const restBefore = restLength
          at += piece.consumed
          content = piece.text
          if (content.length > 0 && rest[restLength - 1] === QUOTE) keep(STAND_IN)
          if (piece.ended) {
            keep(QUOTE)
            inside = 'structure'
          }
          const last = removed.at(-1)
          if (last) last.bytes += piece.consumed - (restLength - restBefore)
          objects?.onText(objectsBegun - 1, piece.text, piece.ended)
          continue
        }
        const byte = chunk[at++] as number
        keep(byte)
        if (inside === 'structure') structure(byte)
        else string(byte)
      }
      return content
    },
    end: () => parseRest(0),
  }
}

/** @returns the offset of the first error in UTF-16 units; undefined if the grammar has no error. */
function findSyntaxError(text: string): number | undefined {
  let found: number | undefined
  const onError = (_: number, offset: number) => {
    found ??= offset
  }
  visit(text, { onError }, { disallowComments: true })
  return found
}

const refusal = (message: string, param?: string) => new ApiError('invalid_request', message, { param })
