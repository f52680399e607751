/** What holds for every answer, whatever was asked. */
import { checkDocumented } from '../harness/documented-answers.ts'
import { CODES_BY_STATUS } from './error-codes.ts'
import type { RawAnswer } from './raw-client.ts'

/** What the gateway hands back as it came; anything else gets an id of the gateway's own. */
const ACCEPTABLE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/
const OWN_REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** A message is a sentence or two; more is somebody's input played back. */
const MESSAGE_LENGTH_MAX = 2_000

/**
 * @param target of the request, when it is known: then the answer must be what the OpenAPI document says.
 * @returns the error's code, or `ok`.
 * @throws Error that says what is wrong with the answer.
 */
export function checkAnswer(answer: RawAnswer, method: string, target?: string): string {
  const { status, headers, body } = answer
  const id = headers.get('x-request-id') ?? ''
  require(ACCEPTABLE_REQUEST_ID.test(id), `X-Request-Id is "${id}"`)
  require(headers.get('x-content-type-options') === 'nosniff', 'no X-Content-Type-Options')
  if (status === 204) {
    require(body === '' && !headers.has('content-type'), 'a 204 with content')
    return 'ok'
  }
  if (status === 304) {
    require(headers.has('etag') && body === '', 'no ETag, or a body')
    return 'ok'
  }
  const isPage = target !== undefined && /^\/docs(\?|$)/.test(target) && status === 200
  const type = isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
  require(headers.get('content-type') === type, `type is ${headers.get('content-type')}`)
  require(status >= 200 && status < 500 && (status < 300 || status >= 400), `status ${status}`)
  if (method === 'HEAD') {
    require(body === '', 'a HEAD has a body')
    return status < 300 ? 'ok' : (CODES_BY_STATUS[status]?.[0] ?? `unknown: ${status}`)
  }
  if (isPage) return 'ok'
  const parsed = JSON.parse(body)
  if (target !== undefined)
    checkDocumented({ method, target, status, header: (name) => headers.get(name.toLowerCase()), body: parsed })
  if (status < 300) {
    require(!('error' in parsed), 'a success with an error')
    return 'ok'
  }
  const { code, message, request_id, ...rest } = parsed.error ?? {}
  require(Object.keys(parsed).join() === 'error' && Object.keys(rest).length === 0, 'more than the envelope')
  require(CODES_BY_STATUS[status]?.includes(code) ?? false, `code ${code} under status ${status}`)
  require(typeof message === 'string' && /\w/.test(message), `message is ${message}`)
  require(message.length <= MESSAGE_LENGTH_MAX, `the message has ${message.length} characters`)
  require(request_id === id, `request_id is ${request_id}`)
  require((status === 401) === headers.has('www-authenticate'), 'WWW-Authenticate')
  require((status === 405) === headers.has('allow'), 'Allow')
  return code

  function require(condition: boolean, problem: string): void {
    if (!condition) throw new Error(`${problem} in the answer ${status} ${body.slice(0, 600)}`)
  }
}

/** @param sent the value of the one header `X-Request-Id` of the request. */
export function checkRequestId(answer: RawAnswer, sent: string | undefined): void {
  const got = answer.headers.get('x-request-id') ?? ''
  // HTTP's own white space, which is no part of a value.
  const trimmed = sent?.replace(/^[ \t]+|[ \t]+$/g, '') ?? ''
  if (ACCEPTABLE_REQUEST_ID.test(trimmed) ? got !== trimmed : !OWN_REQUEST_ID.test(got))
    throw new Error(`X-Request-Id "${sent}" came back as "${got}"`)
}
