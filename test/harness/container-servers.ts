/** The test servers as containers of the official images of `test/containers/images.env` or variables. */
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { NATS_OPERATOR, NATS_USER, toNatsUser } from '@platen/deploy/nats-users.ts'
import { NATS_SERVICES } from '@platen/proto/nats-permissions.ts'
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers'
import { isInMemory } from '../tools/scratch.ts'
import { freePort } from './free-port.ts'
import { askNatsVersion, askPostgresVersion } from './server-versions.ts'
import type { TestServers } from './servers.ts'
import { waitFor } from './wait-for.ts'

const IMAGES = join(import.meta.dirname, '../containers/images.env')
const { POSTGRES_IMAGE = '', NATS_IMAGE = '' } = { ...parseEnv(readFileSync(IMAGES, 'utf8')), ...process.env }

const PASSWORD = 'only-while-testing'

const NATS_CONFIGURATION = {
  jetstream: { store_dir: '/data' },
  authorization: {
    users: [
      ...NATS_SERVICES.map((service) => toNatsUser(service, PASSWORD)),
      { user: NATS_OPERATOR, password: PASSWORD },
    ],
  },
}

const START_LIMIT_MS = 30_000

/** The locale of the launcher, so that texts sort equally. */
const INITDB_ARGUMENTS = '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8'

export const containerServers: TestServers = {
  origin: { postgres: `container ${POSTGRES_IMAGE}`, nats: `container ${NATS_IMAGE}` },

  async startPostgres() {
    const container = await new GenericContainer(POSTGRES_IMAGE)
      .withEnvironment({
        POSTGRES_USER: 'platen',
        POSTGRES_PASSWORD: PASSWORD,
        POSTGRES_DB: 'platen',
        POSTGRES_INITDB_ARGS: INITDB_ARGUMENTS,
        TZ: 'UTC',
      })
      // The data directory is created by the server of the official image.
      .withTmpFs(isInMemory(tmpdir()) ? { '/var/lib/postgresql': 'rw' } : {})
      .withCommand(['-c', 'max_connections=200', '-c', 'shared_buffers=256MB', '-c', 'jit=off'])
      .withExposedPorts(5432)
      .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/))
      .start()
    const url = `postgres://platen:${PASSWORD}@${container.getHost()}:${container.getMappedPort(5432)}/platen`
    // The official image logs readiness a first time while it initializes its cluster without network access.
    await waitFor(() => askPostgresVersion(url), START_LIMIT_MS)
    return {
      url,
      async stop() {
        await container.stop()
      },
    }
  },

  async startNats() {
    const port = await freePort()
    let container: StartedTestContainer | undefined = await startNatsContainer(port)
    const current = () => {
      if (!container) throw new Error('nats-server was wiped and not restarted.')
      return container
    }
    const toUrl = (user: string) => `nats://${user}:${PASSWORD}@${container?.getHost()}:${port}`
    const url = toUrl(NATS_OPERATOR)
    return {
      url,
      servicesUrl: toUrl(NATS_USER),
      async kill() {
        const { container: containers } = await getContainerRuntimeClient()
        const killed = containers.getById(current().getId())
        await killed.kill()
        await killed.wait()
      },
      async start() {
        if (container) await startAgain(container, url)
        else container = await startNatsContainer(port)
      },
      async wipe() {
        await current().stop()
        container = undefined
      },
      async stop() {
        await container?.stop()
      },
    }
  },
}

function startNatsContainer(port: number): Promise<StartedTestContainer> {
  return new GenericContainer(NATS_IMAGE)
    .withCommand(['--config', '/etc/platen.conf'])
    .withCopyContentToContainer([{ content: JSON.stringify(NATS_CONFIGURATION), target: '/etc/platen.conf' }])
    .withExposedPorts({ container: 4222, host: port })
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
    .start()
}

/** Waits for the greeting, because the log of a restarted container can contain an earlier start. */
async function startAgain(container: StartedTestContainer, url: string): Promise<void> {
  const { container: containers } = await getContainerRuntimeClient()
  await containers.getById(container.getId()).start()
  await waitFor(() => askNatsVersion(url), START_LIMIT_MS)
}
