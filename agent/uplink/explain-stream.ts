/** The causes of a failed stream or download, for the log, `status` and `doctor`. `explain` has those of the connection below it. */
import { type ServiceError, status } from '@grpc/grpc-js'
import { REFUSAL_TRAILER } from '@platen/proto/grpc.ts'

/** grpc-js converts an answer without a gRPC status, which the service never sends, to a status with this text. */
const HTTP_ANSWER = /^Received HTTP status code (\d+)$/

/** grpc-js reads a page as a message, whose first letters are its length. */
const PAGE =
  /^Received (message larger than max|HTTP status code 200$|RST_STREAM with code 0 \(Call ended without gRPC status)/

const HTTP_MEANINGS: Record<string, string> = {
  401: 'It requires a sign-in',
  403: 'It forbids the connection',
  404: 'It has no such address',
  407: 'It requires a password',
  429: 'It limits the number of requests',
  502: 'It does not reach the service',
  503: 'It does not reach the service',
  504: 'It does not reach the service',
}

/** Sent by a gRPC server. Without the trailer it is a service of an earlier version, or a gateway before the service. */
export function isRefusal(error: unknown): boolean {
  return isServiceError(error) && error.code === status.UNAUTHENTICATED && !HTTP_ANSWER.test(error.details)
}

/** @param host the agents' port, as in `agentUrl`. @returns sentences. */
export function explainStream(error: unknown, host: string): string {
  if (!isServiceError(error)) return toSentence(error instanceof Error ? error.message : String(error))
  if (isRefusal(error)) return explainRefusal(error, host)
  if (PAGE.test(error.details))
    return explainAnswer('a web page instead of a stream, as sign-in pages of networks are', host)
  const httpStatus = HTTP_ANSWER.exec(error.details)?.[1]
  if (httpStatus !== undefined) return explainAnswer(explainHttpStatus(httpStatus), host)
  return toSentence(`The stream to ${host} failed: ${error.details} (${status[error.code] ?? error.code})`)
}

function explainRefusal({ details, metadata }: ServiceError, host: string): string {
  if (metadata.get(REFUSAL_TRAILER).length > 0)
    return `The service at ${host} does not accept the credential of this computer: ${toSentence(details)}`
  return `A server at ${host} does not accept the credential of this computer: ${toSentence(details)} It is a service of an earlier version, or a gateway before the service. If the service runs and its gateways pass gRPC, enrol this computer again.`
}

function explainHttpStatus(httpStatus: string): string {
  const meaning = httpStatus.startsWith('3')
    ? 'It redirects, as sign-in pages of networks do'
    : HTTP_MEANINGS[httpStatus]
  return `HTTP status ${httpStatus}${meaning ? `. ${meaning}` : ''}`
}

const explainAnswer = (answer: string, host: string) =>
  `A server between this computer and the service at ${host} has answered with ${answer}. Check the proxies, firewalls and load balancers of the network.`

const toSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && 'details' in error
}
