/** Three nats-servers with JetStream as a cluster on loopback, with TLS and a user. */
import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { getTestAuthority } from '@platen/agent/tests/tls-front.ts'
import { findNatsServer } from '@platen/deploy/install/find-nats-server.mjs'
import { startServer } from '@platen/deploy/launcher/start-server.ts'
import { freePort } from './free-port.ts'
import { type Restartable, startRestartable } from './restartable.ts'

const USER = 'platen'
const PASSWORD = 'only on loopback: #1'

export interface NatsCluster {
  servers: Restartable[]
  /** Settings of the services. */
  env: Record<string, string>
  stop(): Promise<void>
}

/** Does not wait until the servers have elected a leader. */
export async function startNatsCluster(directory: string): Promise<NatsCluster> {
  const nodes = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => ({ name, port: await freePort(), routePort: await freePort() })),
  )
  const { cert, key } = getTestAuthority().issue('localhost')
  await mkdir(directory, { recursive: true })
  const at = (file: string) => join(directory, file)
  writeFileSync(at('cert.pem'), cert)
  writeFileSync(at('key.pem'), key, { mode: 0o600 })
  const servers = await Promise.all(
    nodes.map(({ name, port, routePort }) => {
      const configuration = {
        host: '127.0.0.1',
        port,
        server_name: name,
        jetstream: { store_dir: at(name) },
        authorization: { users: [{ user: USER, password: PASSWORD }] },
        tls: { cert_file: at('cert.pem'), key_file: at('key.pem') },
        cluster: {
          name: 'platen',
          host: '127.0.0.1',
          port: routePort,
          routes: nodes.map((node) => `nats://127.0.0.1:${node.routePort}`),
        },
      }
      writeFileSync(at(`${name}.conf`), JSON.stringify(configuration), { mode: 0o600 })
      const server = {
        name: `nats-${name}`,
        command: findNatsServer() ?? 'nats-server',
        args: ['-c', at(`${name}.conf`)],
      }
      return startRestartable(
        server.name,
        async ({ onPid }) => {
          const started = await startServer({ ...server, endSignal: 'SIGTERM', logFile: at(`${name}.log`) })
          onPid?.(started.pid)
          return started
        },
        () => undefined,
      )
    }),
  )
  return {
    servers,
    env: {
      PLATEN_NATS_URL: nodes.map(({ port }) => `tls://localhost:${port}`).join(','),
      PLATEN_NATS_USER: USER,
      PLATEN_NATS_PASSWORD: PASSWORD,
      PLATEN_NATS_CA_FILE: getTestAuthority().caFile,
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}
