/**
 * What the operator of a cluster has: PostgreSQL that accepts TLS only, three NATS servers with TLS and a user, and an
 * S3 server.
 */
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { getTestAuthority } from '@platen/agent/tests/tls-front.ts'
import { freePort } from '../harness/free-port.ts'
import { S3_BUCKET, S3_CREDENTIALS, startS3Server } from '../harness/s3-server.ts'
import { waitFor } from '../harness/wait-for.ts'
import { docker, getAddress, LABEL } from './run-pod.ts'

const IMAGES = join(import.meta.dirname, '../containers/images.env')
const { POSTGRES_IMAGE = '', NATS_IMAGE = '' } = { ...parseEnv(readFileSync(IMAGES, 'utf8')), ...process.env }
export const SERVER_IMAGES = [POSTGRES_IMAGE, NATS_IMAGE]

export const POSTGRES = 'postgres'
export const NATS_SERVERS = ['nats-a', 'nats-b', 'nats-c']
const USER = 'platen'
const PASSWORD = 'only-while-testing'
/** The number that `NOTES.txt` requires for two replicas. */
const CONNECTIONS_MAX = 190
const START_LIMIT_MS = 60_000

export interface Servers {
  /** Values of the chart. */
  values: object
  /** To which the values refer. */
  secrets: Record<string, Record<string, string>>
  /** Ends when the server accepts connections, and a NATS server has caught up with the others. */
  untilHealthy(): Promise<void>
  stop(): Promise<void>
}

/** @param address on which containers reach this process. */
export async function startServers(network: string, address: string, directory: string, image: string) {
  const caFile = getTestAuthority().caFile
  const ca = { 'ca.crt': readFileSync(caFile, 'utf8') }
  await Promise.all([startPostgres(network, join(directory, 'postgres')), ...NATS_SERVERS.map(startNats)])
  const port = await freePort()
  const files = join(directory, 'files')
  await mkdir(files)
  const s3 = await startS3Server({ address, port, directory: files })
  await waitFor(() => createRoles(), START_LIMIT_MS)
  await untilHealthy()

  async function startNats(name: string): Promise<void> {
    const own = join(directory, name)
    await writeCertificate(own, name)
    const configuration = {
      server_name: name,
      port: 4222,
      http: 8222,
      jetstream: { store_dir: '/data' },
      authorization: { users: [{ user: USER, password: PASSWORD }] },
      tls: { cert_file: '/nats/server.crt', key_file: '/nats/server.key' },
      cluster: { name: 'platen', port: 6222, routes: NATS_SERVERS.map((server) => `nats://${server}:6222`) },
    }
    await writeFile(join(own, 'nats.conf'), JSON.stringify(configuration))
    await startServer(network, name, [`--volume=${own}:/nats:ro`], NATS_IMAGE, ['-c', '/nats/nats.conf'])
  }

  /** It creates the roles as an operator does, with the owner of the database cluster. */
  async function createRoles(): Promise<void> {
    const url = `postgres://${USER}:${PASSWORD}@${POSTGRES}/platen?sslmode=verify-full&sslrootcert=/ca.crt`
    const variables = [`PLATEN_DATABASE_ADMIN_URL=${url}`, `PLATEN_DATABASE_URL=${toServicesUrl()}`]
    const environment = variables.map((variable) => `--env=${variable}`)
    const mount = `--volume=${caFile}:/ca.crt:ro`
    await docker(
      'run',
      '--rm',
      `--label=${LABEL}`,
      `--network=${network}`,
      mount,
      ...environment,
      image,
      'create-roles',
    )
  }

  async function untilHealthy(): Promise<void> {
    for (const name of NATS_SERVERS)
      await waitFor(async () => {
        const { status } = await fetch(`http://${await getAddress(name)}:8222/healthz`)
        if (status !== 200) throw new Error(`${name} is not healthy`)
      }, START_LIMIT_MS)
  }

  return {
    values: {
      database: { secretName: 'platen-db', caSecretName: 'platen-db-ca' },
      nats: {
        servers: NATS_SERVERS.map((name) => `tls://${name}:4222`),
        replicas: 3,
        auth: 'user',
        secretName: 'platen-nats',
        caSecretName: 'platen-nats-ca',
      },
      files: {
        url: `s3://${S3_BUCKET}/platen?endpoint=${encodeURIComponent(`http://${address}:${port}`)}`,
        secretName: 'platen-files',
      },
    },
    secrets: {
      'platen-db': { uri: toServicesUrl() },
      'platen-db-ca': ca,
      'platen-nats': { user: USER, password: PASSWORD },
      'platen-nats-ca': ca,
      'platen-files': S3_CREDENTIALS,
    },
    untilHealthy,
    stop: () => s3.close(),
  } satisfies Servers
}

const toServicesUrl = () => `postgres://platen_*:${PASSWORD}@${POSTGRES}/platen`

/** The key belongs to the user of the server, so it is part of an image. */
async function startPostgres(network: string, directory: string): Promise<void> {
  await writeCertificate(directory, POSTGRES)
  await writeFile(join(directory, 'pg_hba.conf'), 'local all all trust\nhostssl all all all scram-sha-256\n')
  const image = 'platen-rendered-postgres'
  await writeFile(
    join(directory, 'Dockerfile'),
    `FROM ${POSTGRES_IMAGE}\nCOPY --chown=postgres server.key server.crt pg_hba.conf /tls/\n`,
  )
  await docker('build', '--quiet', `--tag=${image}`, directory)
  const settings = {
    ssl: 'on',
    ssl_cert_file: '/tls/server.crt',
    ssl_key_file: '/tls/server.key',
    hba_file: '/tls/pg_hba.conf',
    max_connections: CONNECTIONS_MAX,
  }
  const variables = { POSTGRES_USER: USER, POSTGRES_PASSWORD: PASSWORD, POSTGRES_DB: 'platen' }
  const environment = Object.entries(variables).map(([name, value]) => `--env=${name}=${value}`)
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  await startServer(network, POSTGRES, environment, image, args)
}

async function startServer(network: string, name: string, options: string[], image: string, args: string[]) {
  const own = [`--name=${name}`, `--label=${LABEL}`, `--network=${network}`]
  await docker('run', '--detach', ...own, ...options, image, ...args)
}

async function writeCertificate(directory: string, name: string): Promise<void> {
  const { cert, key } = getTestAuthority().issue(name)
  await mkdir(directory)
  await writeFile(join(directory, 'server.crt'), cert)
  await writeFile(join(directory, 'server.key'), key, { mode: 0o600 })
}
