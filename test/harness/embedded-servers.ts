/** The test servers as local programs with the durability settings of `npm start`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNats } from '@platen/deploy/launcher/nats.ts'
import { startPostgres } from '@platen/deploy/launcher/postgres.ts'
import { freePort } from './free-port.ts'
import type { TestServers } from './servers.ts'

export const embeddedServers: TestServers = {
  origin: { postgres: 'embedded', nats: 'embedded' },

  async startPostgres() {
    const root = await mkdtemp(join(tmpdir(), 'platen-postgres-'))
    const server = await startPostgres({
      directory: join(root, 'data'),
      port: await freePort(),
      password: 'only on loopback, only while testing',
      logFile: join(root, 'log'),
    })
    return {
      url: server.url,
      async stop() {
        await server.stop()
        await rm(root, { recursive: true })
      },
    }
  },

  async startNats() {
    const root = await mkdtemp(join(tmpdir(), 'platen-nats-'))
    const port = await freePort()
    const directory = join(root, 'store')
    const start = () =>
      startNats({ directory, port, password: 'test', operatorPassword: 'test', logFile: join(root, 'log') })
    let server = await start()
    return {
      url: server.operatorUrl,
      servicesUrl: server.url,
      async kill() {
        process.kill(server.pid, 'SIGKILL')
        await server.ended
      },
      async start() {
        server = await start()
      },
      wipe: () => rm(directory, { recursive: true }),
      async stop() {
        await server.stop()
        await rm(root, { recursive: true })
      },
    }
  },
}
