/** What the answers of all replicas mean for an operator. */
import type { AgentPackages } from '@platen/proto/gen/platen/diagnostics/v1/diagnostics_pb.ts'
import type { Answer, Asked } from './ask-replicas.ts'
import { findClocks } from './clocks.ts'
import { findDatabaseSize, findDatabases, findLastBackup } from './databases.ts'
import { type Finding, ok, problem } from './finding.ts'
import { findNats } from './nats.ts'
import { nameReplicas, type Replica } from './replica.ts'
import { findSilent } from './silent.ts'

/** @returns what is well and what is not, in the order of the output. */
export function toFindings(asked: Asked[]): Finding[] {
  const answers = findAnswers(asked)
  const replicas = answers.flatMap(({ response: { reports, release, instance } }) =>
    reports.map((report): Replica => ({ ...report, release, instance })),
  )
  const silent = findSilent(asked)
  if (replicas.length === 0) return silent
  return [
    ...silent,
    ok(countReplicas(replicas)),
    findReleases(replicas),
    findClocks(answers),
    ...findSecrets(replicas),
    ...findFailures(replicas),
    ...findDatabases(replicas),
    ...findDatabaseSize(replicas),
    ...findLastBackup(replicas, Date.now()),
    ...findNats(replicas),
    ...findFileStores(replicas),
    ...findMail(replicas),
    ...findPackages(replicas),
    ...findWork(replicas),
  ]
}

/** The answer of each process once, because a process can have several addresses. */
function findAnswers(asked: Asked[]): Answer[] {
  const answers = asked.flatMap(({ answer }) => ('response' in answer ? [answer] : []))
  const byProcess = new Map(
    answers.map((answer) => [`${answer.response.instance} ${answer.response.startedAt?.seconds}`, answer]),
  )
  return [...byProcess.values()]
}

function countReplicas(replicas: Replica[]): string {
  const counts = [...Map.groupBy(replicas, ({ service }) => service)].map(
    ([service, { length }]) => `${service} ${length}`,
  )
  return `replicas that responded: ${counts.join(', ')}`
}

/** `A on x, y; B on z` */
function describeGroups(groups: Map<string, Replica[]>): string {
  return [...groups].map(([name, members]) => `${name} on ${nameReplicas(members)}`).join('; ')
}

function findReleases(replicas: Replica[]): Finding {
  const groups = Map.groupBy(replicas, ({ release }) => release)
  if (groups.size === 1) return ok(`release ${replicas[0]?.release} on all replicas`)
  return problem(
    `several releases run: ${describeGroups(groups)}`,
    'Complete the upgrade or the rollback. If none is in progress, restart the replicas of the other release.',
  )
}

function findSecrets(replicas: Replica[]): Finding[] {
  const held = replicas.flatMap((replica) => replica.secrets.map((secret) => ({ ...secret, replica })))
  const bySetting = Map.groupBy(held, ({ setting }) => setting)
  const unequal = [...bySetting].flatMap(([setting, secrets]) => {
    const groups = Map.groupBy(secrets, ({ fingerprints }) => fingerprints.map(toHex).join())
    if (groups.size === 1) return []
    const lists = [...groups.values()].map((members) => nameReplicas(members.map(({ replica }) => replica)))
    return [
      problem(
        `${setting} is not the same on all replicas: ${lists.join(' differ from ')}`,
        'Give all of them the same value, with its keys in the same order, and restart those that were started with another one.',
      ),
    ]
  })
  return unequal.length > 0 ? unequal : [ok(`equal secrets on all replicas: ${[...bySetting.keys()].join(', ')}`)]
}

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

const REMEDIES: Record<string, string> = {
  database: 'Check PostgreSQL, PLATEN_DATABASE_URL and the network between them.',
  NATS: 'Check the nats-servers with JetStream, PLATEN_NATS_URL and the network between them.',
  'document store': 'Check PLATEN_FILE_STORE_URL, its credentials and permissions, and the free space.',
  'document bucket': 'Check the nats-servers of PLATEN_FILE_STORE_URL.',
  'last backup': 'Record it as in docs/operations/backup.md#age-of-the-last-backup.',
  mail: 'Check PLATEN_SMTP_URL, the mail server and the network between them. Until then users get no sign-in codes and no alerts.',
}

/** One line for replicas with the same failure. */
function findFailures(replicas: Replica[]): Finding[] {
  const failed = replicas.flatMap((replica) => replica.failures.map((failure) => ({ ...failure, replica })))
  const groups = Map.groupBy(failed, ({ part, error }) => `${part}: ${error}`)
  return [...groups].map(([text, failures]) =>
    problem(
      `${text}, on ${nameReplicas(failures.map(({ replica }) => replica))}`,
      REMEDIES[failures[0]?.part ?? ''] ?? 'See the log of the service.',
    ),
  )
}

function findFileStores(replicas: Replica[]): Finding[] {
  const stores = replicas.filter(({ fileStore }) => fileStore)
  const groups = Map.groupBy(stores, ({ fileStore }) => fileStore?.kind ?? '')
  if (groups.size > 1)
    return [
      problem(
        `replicas have different document stores: ${describeGroups(groups)}`,
        'Set PLATEN_FILE_STORE_URL of gateway, jobs and devices to the same store.',
      ),
    ]
  return [...groups].map(([kind, { length }]) =>
    ok(`document store (${kind}): write, read and delete, ${length} times`),
  )
}

const findMail = (replicas: Replica[]): Finding[] =>
  [...new Set(replicas.flatMap(({ mail }) => mail?.destination ?? []))].map((destination) => ok(`mail: ${destination}`))

/** Missing packages are no problem, because agents can be installed by other means. */
const findPackages = (replicas: Replica[]): Finding[] =>
  [...Map.groupBy(replicas, ({ agentPackages }) => agentPackages && describePackages(agentPackages)).keys()]
    .filter((text) => text !== undefined)
    .map(ok)

const describePackages = ({ version, platforms }: AgentPackages) =>
  version === ''
    ? 'no packages of the agent: docs/agent-packages.md'
    : `packages of the agent ${version}: ${platforms.join(', ')}`

function findWork(replicas: Replica[]): Finding[] {
  const connected = replicas.flatMap(({ connectedAgents }) => connectedAgents ?? [])
  const waiting = replicas.flatMap(({ oldestWaitingSeconds }) => oldestWaitingSeconds ?? [])
  return [
    ...(connected.length > 0 ? [ok(`connected agents: ${connected.reduce((sum, count) => sum + count, 0)}`)] : []),
    ...(waiting.length > 0 ? [ok(describeWaiting(Math.max(...waiting)))] : []),
  ]
}

/** A job of a computer that is switched off waits as well, so the age is not a problem by itself. */
const describeWaiting = (seconds: number) =>
  seconds === 0 ? 'no job is queued' : `the oldest queued job has waited for ${Math.round(seconds)} s`
