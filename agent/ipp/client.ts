/**
 * IPP client for CUPS and printers, over TCP, TLS or a Unix socket. Connections are kept alive. Only read-only
 * operations are repeated, so that callers know how often a document was sent.
 */

import type { Readable } from 'node:stream'
import type { IppAttributes, IppTyped, IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { decodeMessage } from '@platen/ipp/decode.ts'
import { encodeMessage, type IppMessage } from '@platen/ipp/encode.ts'
import { type IppOperation, isReadOnly, OPERATIONS } from '@platen/ipp/operations.ts'
import { type IppStatus, toStatus } from '@platen/ipp/status-codes.ts'
import { GROUPS } from '@platen/ipp/tags.ts'
import { uri } from '@platen/ipp/typed.ts'
import { type HttpOptions, openHttp } from './http.ts'
import { IppError } from './ipp-error.ts'

export interface IppRequest {
  operation: IppOperation
  /**
   * Attributes besides charset, language and target. The target is the URL of the client unless `printer-uri` or
   * `job-uri` is set.
   */
  attributes?: IppTypedAttributes
  jobAttributes?: IppTypedAttributes
  /** Read once, at the speed of the server. */
  document?: AsyncIterable<Uint8Array> | Readable
  /** In bytes. Set it if known: some printers do not accept chunked documents. */
  documentLength?: number
  signal?: AbortSignal
}

export interface IppAnswer {
  status: IppStatus
  /** Message of the server, for users. */
  message?: string
  operationAttributes: IppAttributes
  printers: IppAttributes[]
  jobs: IppAttributes[]
  /** Attributes that the server ignored. */
  unsupported: IppAttributes
  /** The document of the response, such as a PPD file. */
  data: Buffer
}

export interface IppClient {
  /**
   * @throws IppError if the server refuses, IppConnectionError without a response in time, IppDecodingError for an
   *   invalid response, and the reason of the signal.
   */
  request(request: IppRequest): Promise<IppAnswer>
  /** Closes idle connections. */
  close(): void
}

export interface IppClientOptions extends HttpOptions {
  /**
   * `ipp://host/path`, `ipps://…`, `http://…` or `https://…`, of CUPS or of one printer. Without a port it is 631 for
   * IPP. With `socketPath` the host is not resolved.
   */
  url: string
}

const REQUEST_ID_MAX = 0x7fffffff

const VERSIONS = { '2.0': [2, 0], '1.1': [1, 1] } as const

export function openIppClient({ url, ...options }: IppClientOptions): IppClient {
  const server = new URL(url)
  const http = openHttp(server, options)
  let version: keyof typeof VERSIONS = '2.0'
  let hasAnswered = false
  let requestId = 0

  async function send(request: IppRequest, version: keyof typeof VERSIONS): Promise<IppAnswer> {
    const { operation, attributes = {}, jobAttributes, document, documentLength, signal } = request
    const { 'printer-uri': printerUri = uri(toPrinterUri(server)), 'job-uri': jobUri, ...others } = attributes
    const target = jobUri ?? printerUri
    const operationAttributes = {
      ...CHARSET_AND_LANGUAGE,
      [jobUri ? 'job-uri' : 'printer-uri']: target,
      ...others,
    }
    const groups: IppMessage['groups'] = [{ tag: GROUPS.operation, attributes: operationAttributes }]
    if (jobAttributes) groups.push({ tag: GROUPS.job, attributes: jobAttributes })
    requestId = (requestId % REQUEST_ID_MAX) + 1
    const head = encodeMessage({ version: VERSIONS[version], code: OPERATIONS[operation], requestId, groups })
    const bytes = await http.post({
      path: getPath(target),
      head,
      document,
      documentLength,
      repeatable: isReadOnly(operation),
      signal,
    })
    return readAnswer(bytes, operation)
  }

  /** Printers of IPP 1.1 can call the first request invalid instead of naming the version. */
  const isTooNew = (error: unknown) =>
    error instanceof IppError &&
    (error.status === 'server-error-version-not-supported' ||
      (error.status === 'client-error-bad-request' && !hasAnswered))

  return {
    async request(request) {
      try {
        const answer = await send(request, version)
        hasAnswered = true
        return answer
      } catch (error) {
        if (!isTooNew(error) || version === '1.1' || request.document) throw error
        const answer = await send(request, '1.1')
        version = '1.1'
        hasAnswered = true
        return answer
      }
    },
    close: () => http.close(),
  }
}

const CHARSET_AND_LANGUAGE = {
  'attributes-charset': { syntax: 'charset', value: 'utf-8' },
  'attributes-natural-language': { syntax: 'naturalLanguage', value: 'en' },
} as const satisfies IppTypedAttributes

/** The printer URI within IPP, independent of the connection. */
function toPrinterUri({ protocol, host, port, pathname }: URL): string {
  if (protocol === 'ipp:' || protocol === 'ipps:') return `${protocol}//${host}${pathname}`
  const isSecure = protocol === 'https:'
  return `${isSecure ? 'ipps' : 'ipp'}://${host}${port ? '' : isSecure ? ':443' : ':80'}${pathname}`
}

/** The HTTP path is that of the target of the operation. */
function getPath(target: IppTyped | IppTyped[]): string {
  const [first] = [target].flat()
  const value = typeof first?.value === 'string' ? first.value : ''
  return (URL.canParse(value) && new URL(value).pathname) || '/'
}

function readAnswer(bytes: Buffer, operation: IppOperation): IppAnswer {
  const { code, groups, data } = decodeMessage(bytes)
  const getGroups = (tag: number) => groups.filter((group) => group.tag === tag).map(({ attributes }) => attributes)
  const [operationAttributes = {}] = getGroups(GROUPS.operation)
  const text = operationAttributes['status-message']?.[0]
  const message = typeof text === 'string' && text !== '' ? text : undefined
  const status = toStatus(code)
  if (!status.startsWith('successful-'))
    throw new IppError(status, `${operation} was refused with ${status}${message ? `: ${message}` : ''}`, message)
  const [unsupported = {}] = getGroups(GROUPS.unsupported)
  return {
    status,
    message,
    operationAttributes,
    printers: getGroups(GROUPS.printer),
    jobs: getGroups(GROUPS.job),
    unsupported,
    data,
  }
}
