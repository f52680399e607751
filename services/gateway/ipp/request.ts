/** Reads a request: its attributes at once, within limits, and its document as it arrives. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IppAttributes, IppValue } from '@platen/ipp/attributes.ts'
import { decodeHead, decodeRequest, type IppDecoded } from '@platen/ipp/decode.ts'
import { IppDecodingError } from '@platen/ipp/decoding-error.ts'
import { ATTRIBUTES_MAX_BYTES, createDocumentFinder } from '@platen/ipp/find-document.ts'
import { type IppOperation, OPERATIONS } from '@platen/ipp/operations.ts'
import { GROUPS } from '@platen/ipp/tags.ts'
import { DOCUMENT_MAX_BYTES } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { readBody } from '../request/read-body.ts'
import { IppRefusal } from './refusal.ts'

/** A document in a compression can be longer than without. */
const BODY_MAX_BYTES = DOCUMENT_MAX_BYTES + ATTRIBUTES_MAX_BYTES + 64 * 1024

const FIRST_BYTES = 4 * 1024

/** What follows the attributes of an operation without a document: usually nothing. */
const REST_MAX_BYTES = 64 * 1024

/** What every answer has of its request. */
export type Head = Pick<IppDecoded, 'version' | 'code' | 'requestId'>

export interface ReceivedRequest {
  head: Head
  /** The attributes, not checked. Undefined if they are invalid. */
  decoded: IppDecoded | undefined
  /** Why not. */
  problem: IppDecodingError | undefined
  /** Read once. */
  document: AsyncGenerator<Buffer>
}

/** @returns undefined for a body that is no request of IPP. @throws ApiError `request_timeout`, RequestAborted. */
export async function receiveRequest(request: {
  req: IncomingMessage
  res: ServerResponse
}): Promise<ReceivedRequest | undefined> {
  // The length of the body is checked where it is a document, so that the answer is one of IPP.
  const body = readBody(request, Number.POSITIVE_INFINITY)
  const find = createDocumentFinder()
  const received = createGrowingBuffer()
  let offset: number | undefined
  let problem: IppDecodingError | undefined
  try {
    for (let next = await body.next(); !next.done; next = await body.next()) {
      received.push(next.value)
      offset = find(received.bytes())
      if (offset !== undefined) break
    }
  } catch (error) {
    if (!(error instanceof IppDecodingError)) throw error
    problem = error
  }
  const bytes = received.bytes()
  const head = decodeHead(bytes)
  if (!head) return undefined
  let decoded: IppDecoded | undefined
  try {
    if (!problem) decoded = decodeRequest(bytes.subarray(0, offset))
  } catch (error) {
    if (!(error instanceof IppDecodingError)) throw error
    problem = error
  }
  const rest = inOrder(bytes.subarray(offset ?? bytes.length), body)
  return { head, decoded, problem, document: limitLength(rest, bytes.length, request.req) }
}

/** @throws ApiError `content_too_large`, at once if the request announces it. */
async function* limitLength(
  rest: AsyncGenerator<Buffer>,
  headBytes: number,
  { headers }: IncomingMessage,
): AsyncGenerator<Buffer> {
  const requireLength = (bytes: number) => {
    if (bytes > BODY_MAX_BYTES)
      throw new ApiError('content_too_large', `The document is larger than ${DOCUMENT_MAX_BYTES} bytes.`)
  }
  requireLength(Number(headers['content-length'] ?? 0))
  let bytes = headBytes
  for await (const chunk of rest) {
    bytes += chunk.length
    requireLength(bytes)
    yield chunk
  }
}

/**
 * The end of a body arrives after its last byte. Without it the connection would be closed. A longer rest is not read.
 */
export async function readToEnd(document: AsyncGenerator<Buffer>): Promise<void> {
  let bytes = 0
  for await (const chunk of document) {
    bytes += chunk.length
    if (bytes > REST_MAX_BYTES) return
  }
}

async function* inOrder(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first
  yield* rest
}

/** Copies each byte a few times, however small the pieces are. */
function createGrowingBuffer() {
  let buffer = Buffer.alloc(FIRST_BYTES)
  let length = 0
  return {
    push(chunk: Buffer): void {
      if (length + chunk.length > buffer.length) {
        const larger = Buffer.alloc(Math.max(buffer.length * 2, length + chunk.length))
        buffer.copy(larger, 0, 0, length)
        buffer = larger
      }
      chunk.copy(buffer, length)
      length += chunk.length
    },
    bytes: () => buffer.subarray(0, length),
  }
}

const NAMES = new Map<number, IppOperation>(
  Object.entries(OPERATIONS).map(([name, code]) => [code, name as IppOperation]),
)

export interface IppRequest {
  /** The version of the answer. */
  version: readonly [major: number, minor: number]
  /** Undefined for a code of no known operation. */
  operation: IppOperation | undefined
  operationAttributes: OperationAttributes
  /** Job template attributes. */
  jobAttributes: IppAttributes
  document: AsyncGenerator<Buffer>
}

/** The version of answers to requests of another one. */
export const toVersion = ([major]: Head['version']): readonly [number, number] => (major >= 2 ? [2, 0] : [1, 1])

/**
 * Checks what RFC 8011, section 4.1, demands of every request.
 *
 * @throws IppRefusal
 */
export function checkRequest({ head, decoded, problem, document }: ReceivedRequest): IppRequest {
  const [major] = head.version
  if (major !== 1 && major !== 2)
    throw new IppRefusal('server-error-version-not-supported', 'This printer speaks IPP 1.1 and 2.0.')
  if (problem || !decoded) throw new IppRefusal(problem?.status ?? 'client-error-bad-request', problem?.message ?? '')
  if (head.requestId < 1) throw bad('The request id must be above 0.')
  const [operationGroup, jobGroup, ...more] = decoded.groups
  if (operationGroup?.tag !== GROUPS.operation) throw bad('The first group must be the operation attributes.')
  if (more.length > 0 || (jobGroup && jobGroup.tag !== GROUPS.job))
    throw bad('After the operation attributes only one group of job attributes is permitted.')
  const [charset, language] = Object.keys(operationGroup.attributes)
  if (charset !== 'attributes-charset' || language !== 'attributes-natural-language')
    throw bad('The first attributes must be attributes-charset and attributes-natural-language.')
  const attributes = new OperationAttributes(operationGroup.attributes)
  if (!['utf-8', 'us-ascii'].includes(attributes.text('attributes-charset')?.toLowerCase() ?? ''))
    throw new IppRefusal('client-error-charset-not-supported', 'This printer supports the charset utf-8.')
  if (attributes.text('printer-uri') === undefined && attributes.text('job-uri') === undefined)
    throw bad('The request has no printer-uri and no job-uri.')
  return {
    version: toVersion(head.version),
    operation: NAMES.get(head.code),
    operationAttributes: attributes,
    jobAttributes: jobGroup?.attributes ?? {},
    document,
  }
}

export const bad = (message: string) => new IppRefusal('client-error-bad-request', message)

/** Typed access. A value of another type is a bad request. */
export class OperationAttributes {
  readonly #attributes: IppAttributes

  constructor(attributes: IppAttributes) {
    this.#attributes = attributes
  }

  all(name: string): IppValue[] | undefined {
    return this.#attributes[name]
  }

  text(name: string): string | undefined {
    return this.#one(name, (value) => typeof value === 'string') as string | undefined
  }

  integer(name: string): number | undefined {
    return this.#one(name, (value) => typeof value === 'number') as number | undefined
  }

  boolean(name: string): boolean | undefined {
    return this.#one(name, (value) => typeof value === 'boolean') as boolean | undefined
  }

  #one(name: string, isValid: (value: IppValue) => boolean): IppValue | undefined {
    const values = this.#attributes[name]
    if (values === undefined) return undefined
    const [value = null, ...more] = values
    if (more.length > 0 || !isValid(value)) throw bad(`The attribute ${name} must have one value of its syntax.`)
    return value
  }
}
