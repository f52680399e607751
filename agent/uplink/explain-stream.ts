/**
 * The causes of a failed stream or download, for the log, `status` and `doctor`. `explain` has those of the connection
 * below it.
 */
import { type ServiceError, status } from '@grpc/grpc-js'
import { REFUSAL_TRAILER } from '@platen/proto/grpc.ts'
import { explain, explainHttpStatus, LARGE_PACKETS } from '../transport/explain-error.ts'
import { ConnectionFailure } from './route-credentials.ts'

/** The service does not answer on a connection within the time limit. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/** grpc-js converts an answer without a gRPC status, which the service never sends, to a status with this text. */
const HTTP_ANSWER = /^Received HTTP status code (\d+)$/

/** grpc-js reads a page as a message, whose first letters are its length. */
const PAGE =
  /^Received (message larger than max|HTTP status code 200$|RST_STREAM with code 0 \(Call ended without gRPC status)/

/** Texts of grpc-js about ends without an answer. */
const ENDS: [RegExp, (host: string) => string][] = [
  [
    /^No connection established/,
    (host) =>
      `${host} accepts connections, but does not speak HTTP/2 on them. It has too many connections, is not the agents' port of Platen, or is behind a proxy without HTTP/2.`,
  ],
  [/^(Connection dropped|(read|write) E[A-Z]+)/, (host) => `The connection to ${host} was lost.`],
  [/^Stream refused/, (host) => `The server at ${host} accepts no stream, for example because it stops.`],
  [
    /^(Received RST_STREAM|Call cancelled|Bandwidth exhausted|Protocol not secure)/,
    (host) => `A server at ${host}, or a proxy before it, has reset the stream.`,
  ],
]

/**
 * Sent by a gRPC server. Without the trailer it is a service of an earlier version, or a gateway before the service.
 */
export function isRefusal(error: unknown): boolean {
  return isServiceError(error) && error.code === status.UNAUTHENTICATED && !HTTP_ANSWER.test(error.details)
}

/**
 * @param error of a call, after `AgentClient.toCause`.
 * @param host the agents' port, as in `agentUrl`.
 * @returns sentences.
 */
export function explainStream(error: unknown, host: string): string {
  if (error instanceof ConnectionFailure) return explain(error.cause, host)
  if (error instanceof NoAnswer || isLate(error))
    return `The service at ${host} does not answer on an open connection. It is overloaded, or large packets are lost. ${LARGE_PACKETS}`
  if (!isServiceError(error)) return toSentence(error instanceof Error ? error.message : String(error))
  if (isRefusal(error)) return explainRefusal(error, host)
  if (PAGE.test(error.details))
    return explainAnswer('a web page instead of a stream, as sign-in pages of networks are', host)
  const httpStatus = HTTP_ANSWER.exec(error.details)?.[1]
  if (httpStatus !== undefined) return explainAnswer(explainHttpStatus(Number(httpStatus)), host)
  const sentence = ENDS.find(([text]) => text.test(error.details))?.[1]
  if (sentence) return sentence(host)
  const code = status[error.code] ?? error.code
  return toSentence(`The stream to ${host} failed: ${error.details ? `${error.details} (${code})` : code}`)
}

/** Whether a call had no answer within its deadline. */
export function isLate(error: unknown): boolean {
  return isServiceError(error) && error.code === status.DEADLINE_EXCEEDED
}

function explainRefusal({ details, metadata }: ServiceError, host: string): string {
  if (metadata.get(REFUSAL_TRAILER).length > 0)
    return `The service at ${host} does not accept the credential of this computer: ${toSentence(details)}`
  return `A server at ${host} does not accept the credential of this computer: ${toSentence(details)} It is a service of an earlier version, or a gateway before the service. If the service runs and its gateways pass gRPC, enrol this computer again.`
}

const explainAnswer = (answer: string, host: string) =>
  `A server between this computer and the service at ${host} has answered with ${answer}. Check the proxies, firewalls and load balancers of the network.`

const toSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && 'details' in error
}
