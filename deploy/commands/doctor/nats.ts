import type { Stream } from '@platen/proto/gen/platen/diagnostics/v1/diagnostics_pb.ts'
import { type Finding, ok, problem } from './finding.ts'
import type { Replica } from './replica.ts'

const VERSION_MIN = '2.9.0'
/** From this number of servers on, copies of streams survive the loss of one. */
const CLUSTER_MIN = 3

export function findNats(replicas: Replica[]): Finding[] {
  const all = replicas.flatMap(({ nats }) => nats ?? [])
  if (all.length === 0) return []
  const versions = [...new Set(all.map(({ serverVersion }) => serverVersion))].toSorted()
  // A server does not report the others if its configuration forbids it.
  const servers = Math.max(new Set(all.map(({ serverName }) => serverName)).size, ...all.map(({ servers }) => servers))
  const clusters = new Set(all.map(({ cluster, serverName }) => cluster || serverName))
  const old = versions.filter((version) => version.localeCompare(VERSION_MIN, 'en', { numeric: true }) < 0)
  return [
    old.length > 0
      ? problem(`NATS ${old.join(', ')} is too old`, `Upgrade it to ${VERSION_MIN} or newer.`)
      : ok(`NATS ${versions.join(', ')}, servers: ${servers}`),
    ...(clusters.size > 1
      ? [
          problem(
            `replicas are connected to ${clusters.size} nats-servers or clusters that do not know each other`,
            'Connect the servers by routes, or set PLATEN_NATS_URL of all services to one of them.',
          ),
        ]
      : []),
    ...findCredentials(replicas),
    ...findStreams(
      replicas.flatMap(({ streams }) => streams),
      servers,
    ),
  ]
}

/** One credential works, but a service that is taken over can then do everything in NATS. */
function findCredentials(replicas: Replica[]): Finding[] {
  const known = replicas.flatMap(({ service, nats }) => (nats?.credential ? [[service, nats.credential] as const] : []))
  return [...Map.groupBy(known, ([, credential]) => credential)].flatMap(([credential, holders]) => {
    const services = [...new Set(holders.map(([service]) => service))]
    if (services.length < 2) return []
    return ok(
      `one credential of NATS (${credential}) for ${services.join(', ')}; each can have a user: docs/operations/nats-permissions.md`,
    )
  })
}

function findStreams(reported: Stream[], servers: number): Finding[] {
  const streams = [...Map.groupBy(reported, ({ name }) => name)].map(([name, same]) => ({
    name,
    replicas: Math.max(...same.map(({ replicas }) => replicas)),
    current: Math.max(...same.map(({ currentReplicas }) => currentReplicas)),
    wanted: Math.max(...same.map(({ wantedReplicas }) => wantedReplicas)),
  }))
  return streams.map(({ name, replicas, current, wanted }) => {
    if (replicas < wanted)
      return problem(
        `stream ${name}: copies ${replicas}, but PLATEN_NATS_REPLICAS is ${wanted}`,
        `Run ${wanted} nats-servers as a cluster, then restart the services.`,
      )
    if (replicas < CLUSTER_MIN && servers >= CLUSTER_MIN)
      return problem(
        `stream ${name}: copies ${replicas}, although NATS has ${servers} servers`,
        'Set PLATEN_NATS_REPLICAS to 3 and restart the services one by one.',
      )
    if (current < replicas)
      return problem(
        `stream ${name}: only ${current} of ${replicas} copies are up to date`,
        'Start the nats-server that is missing, and wait until it has caught up.',
      )
    return ok(`stream ${name}: copies ${replicas}`)
  })
}
