import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Database } from '@platen/proto/gen/platen/diagnostics/v1/diagnostics_pb.ts'
import { type Finding, ok, problem } from './finding.ts'
import { nameReplicas, type Replica } from './replica.ts'

const VERSION_MIN = 18
/** For tools and migrations, as in the notes of the chart. */
const OTHER_CONNECTIONS = 10
/** The default of the alert `DatabaseNearlyFull`. */
const NEARLY_FULL_PERCENT = 90
/** The default of the alert `BackupOld`: a day, and two hours for the backup. */
const BACKUP_OLD_HOURS = 26

type WithDatabase = Pick<Replica, 'service' | 'instance'> & { database: Database }

/** Services can have databases on several servers. */
export function findDatabases(replicas: Replica[]): Finding[] {
  const all = replicas.flatMap(({ service, instance, database }) => (database ? [{ service, instance, database }] : []))
  const servers = Map.groupBy(all, ({ database }) => database.systemIdentifier)
  return [...[...servers.values()].flatMap(findServer), ...findSchemas(all)]
}

function findServer(replicas: WithDatabase[]): Finding[] {
  const { serverVersion = '', maxConnections = 0 } = replicas[0]?.database ?? {}
  // Distributions add their name.
  const version = serverVersion.split(' ')[0]
  const needed = replicas.reduce((sum, { database }) => sum + database.connections, OTHER_CONNECTIONS)
  const [withTls, withoutTls] = [true, false].map((tls) => replicas.filter(({ database }) => database.tls === tls))
  const isMixed = withTls?.length && withoutTls?.length
  return [
    Number.parseInt(serverVersion, 10) < VERSION_MIN
      ? problem(`PostgreSQL ${version} is too old`, `Upgrade it to ${VERSION_MIN}.`)
      : ok(`PostgreSQL ${version} ${isMixed ? '' : withTls?.length ? 'with TLS' : 'without TLS'}`.trimEnd()),
    ...(isMixed
      ? [
          problem(
            `${nameReplicas(withoutTls)} use PostgreSQL without TLS, and the other replicas with it`,
            'Set PLATEN_DATABASE_CA_FILE, or sslmode in PLATEN_DATABASE_URL, of all services.',
          ),
        ]
      : []),
    maxConnections < needed
      ? problem(
          `max_connections of PostgreSQL is ${maxConnections}, needed are ${needed}`,
          `Set max_connections to ${needed} or more, or lower PLATEN_DATABASE_CONNECTIONS.`,
        )
      : ok(`max_connections of PostgreSQL is ${maxConnections}, needed are ${needed}`),
  ]
}

/** All services share the limit, so the highest part counts. */
export function findDatabaseSize(replicas: Replica[]): Finding[] {
  const sizes = replicas.flatMap(({ databaseSize }) => databaseSize ?? [])
  const [size] = sizes.toSorted((a, b) => Number(b.bytes - a.bytes))
  if (!size) return []
  const [bytes, maxBytes] = [Number(size.bytes), Number(size.maxBytes)]
  if (maxBytes === 0) return [ok(`database: ${toGigabytes(bytes)}, without a limit by PLATEN_DATABASE_MAX_BYTES`)]
  const percent = Math.floor((100 * bytes) / maxBytes)
  const text = `database: ${toGigabytes(bytes)}, ${percent} % of PLATEN_DATABASE_MAX_BYTES`
  if (percent < NEARLY_FULL_PERCENT) return [ok(text)]
  return [
    problem(text, 'Enlarge the disk and the setting, or store documents for a shorter time; at 100 % creations end.'),
  ]
}

/** @param nowMs by the clock of this computer. */
export function findLastBackup(replicas: Replica[], nowMs: number): Finding[] {
  const [last] = replicas.flatMap(({ lastBackup }) => lastBackup ?? [])
  if (!last) return []
  if (!last.madeAt) return [ok('last backup: not recorded, see docs/operations/backup.md#age-of-the-last-backup')]
  const hours = Math.floor((nowMs - timestampMs(last.madeAt)) / 3_600_000)
  const text = `last backup: ${Math.max(0, hours)} h ago`
  if (hours <= BACKUP_OLD_HOURS) return [ok(text)]
  return [problem(text, 'See the log of the program that makes backups; it records each one in the database.')]
}

const toGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

/** A release also runs on the schema of the next one. Migrations are ordered by their names. */
function findSchemas(replicas: WithDatabase[]): Finding[] {
  const behind = replicas.filter(({ database }) => database.appliedMigration < database.knownMigration)
  if (behind.length > 0)
    return [problem(`the schema is older than the release of ${nameReplicas(behind)}`, 'Run `platen-server migrate`.')]
  const newer = replicas.filter(({ database }) => database.appliedMigration > database.knownMigration)
  if (newer.length > 0) return [ok(`schemas are migrated; that of a later release is used by ${nameReplicas(newer)}`)]
  return replicas.length > 0 ? [ok('schemas are migrated')] : []
}
