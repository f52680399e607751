import { release } from '@platen/runtime/release.ts'
import type { Asked, NoAnswer } from './ask-replicas.ts'
import { type Finding, problem } from './finding.ts'

const toSetting = (service: string) => `PLATEN_${service.toUpperCase()}_URL`

const FINDINGS: Record<NoAnswer['why'], (names: string, asked: Asked, error: string) => Finding> = {
  'bad settings': (names, _asked, error) =>
    problem(`${names}: ${error}`, 'Its container cannot start with them again.'),
  'no setting': (_names, { services }) =>
    problem(`${services.map(toSetting).join(', ')} is missing or not a URL`, 'Set it as for the gateway.'),
  'no address': (names, { services, address }, error) =>
    problem(
      `${names}: the name ${address} has no address (${error})`,
      `Start a replica, or correct ${services.map(toSetting).join(', ')}.`,
    ),
  silent: (names, { address }) =>
    problem(
      `${names} at ${address} does not respond`,
      'See its log. A service listens when its database and NATS are reachable and `platen migrate` has run.',
    ),
  'other secret': (names, { address }) =>
    problem(
      `${names} at ${address} refuses the secret of this command`,
      'Restart the replicas that were started with another PLATEN_RPC_SECRET.',
    ),
  'other release': (names, { address }) =>
    problem(`${names} at ${address} has an older release`, `Upgrade it to ${release}.`),
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
          `${toSetting(service)} leads to ${found.join(', ')} at ${address}`,
          `Set it to the address of ${service}.`,
        ),
      )
  })
}
