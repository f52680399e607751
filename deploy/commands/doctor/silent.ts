import { release } from '@platen/runtime/release.ts'
import type { Asked, NoAnswer } from './ask-replicas.ts'
import { type Finding, problem } from './finding.ts'

const FINDINGS: Record<NoAnswer['why'], (names: string, asked: Asked, error: string) => Finding> = {
  'no address': (names, { address }, error) =>
    problem(
      `${names}: the name ${address} has no address (${error})`,
      'Start a replica, or correct PLATEN_OPS_URL of this command.',
    ),
  silent: (names, { address }) =>
    problem(
      `${names} at ${address} does not respond`,
      'See its log. A service starts when its database and NATS are reachable and `platen-server migrate` has run.',
    ),
  'other secret': (names, { address }) =>
    problem(
      `${names} at ${address} refuses the secret of this command`,
      'Give it the SHA-256 of PLATEN_OPERATOR_SECRET as PLATEN_OPERATOR_SECRET_SHA256, and restart it.',
    ),
  'not served': (names, { address }) =>
    problem(
      `${names} at ${address} does not accept the calls of operators`,
      `Set its PLATEN_OPERATOR_SECRET_SHA256, and upgrade it if its release is older than ${release}.`,
    ),
  defect: (names, { address }, error) => problem(`${names} at ${address} failed to answer: ${error}`, 'See its log.'),
}

/** The addresses that gave no answer, or that of another service. */
export function findSilent(asked: Asked[]): Finding[] {
  return asked.flatMap((one) => {
    const { services, address, answer } = one
    if ('why' in answer) return [FINDINGS[answer.why](services.join(', '), one, answer.error)]
    const found = answer.response.reports.map(({ service }) => service)
    return services
      .filter((service) => !found.includes(service))
      .map((service) =>
        problem(
          `PLATEN_OPS_URL of ${service} leads to ${found.join(', ')} at ${address}`,
          'Correct it. Its `*` stands for the name of the service.',
        ),
      )
  })
}
