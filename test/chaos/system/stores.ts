/** PostgreSQL and nats-server of a system, with the shipped defaults of durability. Called by `start-system.ts`. */
import { join } from 'node:path'
import { startNats } from '@platen/deploy/nats.ts'
import { startPostgres } from '@platen/deploy/postgres.ts'
import type { Startable } from './crew.ts'
import type { Plan } from './plan.ts'

export interface Postgres {
  url: string
  /** Fast shutdown, start. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Not supervised: its processes are its own affair. */
export async function startDatabase({ data, secrets, port }: Plan): Promise<Postgres> {
  const start = () =>
    startPostgres({
      directory: data.postgres,
      port: port('postgres'),
      password: secrets.postgresPassword,
      logFile: join(data.logs, 'postgres.log'),
    })
  let server = await start()
  return {
    url: server.url,
    async restart() {
      await server.stop()
      server = await start()
    },
    stop: () => server.stop(),
  }
}

export function natsServer({ data, secrets, port }: Plan): Startable {
  const nats = {
    directory: data.nats,
    port: port('nats-server'),
    token: secrets.natsToken,
    logFile: join(data.logs, 'nats-server.log'),
  }
  return { name: 'nats-server', start: (options) => startNats({ ...nats, ...options }) }
}
