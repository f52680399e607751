/** Sentences about the problems of alerts, for their e-mails and the dashboard. With the placeholders of `fillIn`. */
import type { AlertKindName } from './alert-kinds.ts'
import { toTime } from './explain/texts.ts'
import { NEXT_STEPS } from './next-steps.ts'
import type { ERROR_CLASS } from './webhook-delivery-schema.ts'

interface Problem {
  /** Null if the start is not known. */
  since: Date | null
  /** How many failed. */
  jobs: number
  /**
   * `unauthorized` for a computer whose agent is refused; for an endpoint the class and the status of its last failure:
   * `status 503`.
   */
  detail: string
}

interface AlertText {
  problem(problem: Problem): string
  solved: string
  /** What to do. */
  todo(problem: Pick<Problem, 'detail'>): readonly string[]
}

const isRefused = ({ detail }: Pick<Problem, 'detail'>) => detail === 'unauthorized'

const isOffline = (since: Date | null) => (since ? `has been offline since ${toTime(since)}` : 'is offline')
const waits = (since: Date | null) => (since ? `has been waiting since ${toTime(since)}` : 'waits')

type ErrorClass = (typeof ERROR_CLASS.options)[number]

const FAILURES: Record<ErrorClass, { cause: string; todo: string }> = {
  timeout: { cause: 'no response within the timeout', todo: 'Respond first, and process the event afterwards.' },
  dns: { cause: 'the host name does not resolve', todo: 'Check the name and its DNS.' },
  connect: { cause: 'the connection failed', todo: 'Check the server and its firewall.' },
  tls: { cause: 'the certificate is not trusted', todo: 'Check its validity, its chain and its host name.' },
  blocked_address: { cause: 'the host name resolves to a private address', todo: 'Use a public address.' },
  redirect: { cause: 'the response was a redirect', todo: 'Use the final URL, because redirects are not followed.' },
  status: { cause: 'the response was not successful', todo: 'Respond with a 2xx status.' },
  secret: { cause: 'its secret cannot be decrypted', todo: 'Rotate the secret.' },
}

/** Undefined if the last failure is not known. */
function findFailure({ detail }: Pick<Problem, 'detail'>) {
  const [errorClass = '', status] = detail.split(' ')
  const failure = FAILURES[errorClass as ErrorClass] as (typeof FAILURES)[ErrorClass] | undefined
  return failure && { ...failure, cause: `${failure.cause}${status ? ` (HTTP status ${status})` : ''}` }
}

function formatCause(problem: Pick<Problem, 'detail'>): string {
  const failure = findFailure(problem)
  return failure ? `: ${failure.cause}` : ''
}

function toTodo(problem: Pick<Problem, 'detail'>): string[] {
  const failure = findFailure(problem)
  return failure ? [failure.todo] : []
}

export const ALERT_TEXTS: Record<AlertKindName, AlertText> = {
  computer_offline: {
    problem: (problem) =>
      isRefused(problem)
        ? 'The agent of computer {computer} is refused, because its credential was replaced.'
        : `Computer {computer} ${isOffline(problem.since)}.`,
    solved: 'Computer {computer} is online again.',
    todo: (problem) =>
      isRefused(problem) ? [NEXT_STEPS.enrol_again] : [NEXT_STEPS.start_computer, NEXT_STEPS.run_doctor],
  },
  agent_outdated: {
    problem: () => 'The agent on computer {computer} is older than this installation. Its version is {message}.',
    solved: 'The agent on computer {computer} is no longer older than this installation.',
    todo: () => [NEXT_STEPS.check_agent],
  },
  printer_offline: {
    problem: ({ since }) => `Printer {printer} at computer {computer} ${isOffline(since)}.`,
    solved: 'Printer {printer} at computer {computer} is online again.',
    todo: () => [NEXT_STEPS.check_printer],
  },
  printer_attention: {
    problem: () => 'Printer {printer} at computer {computer} needs attention: {message}',
    solved: 'Printer {printer} at computer {computer} no longer needs attention.',
    todo: () => [NEXT_STEPS.check_printer],
  },
  // The name of the destination is in the place of that of a printer.
  destination_unavailable: {
    problem: ({ since }) =>
      `No printer of destination {printer} is available${since ? ` since ${toTime(since)}` : ''}: {message}`,
    solved: 'A printer of destination {printer} is available again.',
    todo: () => [NEXT_STEPS.change_destination],
  },
  job_waiting: {
    problem: ({ since }) => `A job for printer {printer} ${waits(since)}.`,
    solved: 'No job waits too long for printer {printer}.',
    todo: () => [NEXT_STEPS.check_printer],
  },
  job_failed: {
    problem: ({ jobs }) => `${jobs === 1 ? 'A job' : `${jobs} jobs`} for printer {printer} failed.`,
    solved: 'Printer {printer} has printed a later job.',
    todo: () => [NEXT_STEPS.check_printer],
  },
  endpoint_failing: {
    problem: (problem) =>
      `Webhook endpoint {endpoint} has been failing${problem.since ? ` since ${toTime(problem.since)}` : ''}${formatCause(problem)}.`,
    solved: 'Webhook endpoint {endpoint} no longer fails.',
    todo: (problem) => [...toTodo(problem), 'Without a successful delivery the endpoint will be disabled.'],
  },
  endpoint_disabled: {
    problem: (problem) =>
      `Webhook endpoint {endpoint} was disabled, because all its deliveries failed${formatCause(problem)}.`,
    solved: 'Webhook endpoint {endpoint} is enabled again.',
    todo: (problem) => [...toTodo(problem), 'Enable the endpoint, and replay the deliveries that it missed.'],
  },
}
