/** Starts only PostgreSQL and nats-server, prints their pids, and waits to be killed. */
import { join } from 'node:path'
import { startNats } from '@platen/deploy/launcher/nats.ts'
import { chooseFreePorts } from '@platen/deploy/launcher/ports.ts'
import { startPostgres } from '@platen/deploy/launcher/postgres.ts'

const [directory = ''] = process.argv.slice(2)
const ports = await chooseFreePorts(['postgres', 'nats'])
const [postgres, nats] = await Promise.all([
  startPostgres({
    directory: join(directory, 'postgres'),
    port: ports.postgres,
    password: 'secret',
    logFile: join(directory, 'postgres.log'),
  }),
  startNats({
    directory: join(directory, 'nats'),
    port: ports.nats,
    password: 'secret',
    operatorPassword: 'secret',
    logFile: join(directory, 'nats.log'),
  }),
])
console.log(JSON.stringify({ postgres: postgres.pid, nats: nats.pid }))
await postgres.ended
