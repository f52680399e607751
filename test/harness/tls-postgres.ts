/**
 * A PostgreSQL of `npm start` that accepts connections over TLS only, with a certificate of the test authority for
 * 127.0.0.1.
 */
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTestAuthority } from '@platen/agent/tests/tls-front.ts'
import { createCluster } from '@platen/deploy/launcher/create-cluster.ts'
import { startPostgres } from '@platen/deploy/launcher/postgres.ts'
import { freePort } from './free-port.ts'

const PASSWORD = 'only on loopback, only while testing'

/** @returns the URL without `sslmode`. */
export async function startTlsPostgres(): Promise<{ url: string; caFile: string; stop(): Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), 'platen-postgres-'))
  const directory = join(root, 'data')
  await createCluster(directory, PASSWORD)
  const { cert, key } = getTestAuthority().issue('127.0.0.1')
  const { uid, gid } = statSync(directory)
  const write = (name: string, content: string) => {
    writeFileSync(join(directory, name), content, { mode: 0o600 })
    chownSync(join(directory, name), uid, gid)
  }
  write('server.crt', cert)
  write('server.key', key)
  write('postgresql.auto.conf', 'ssl = on\n')
  write('pg_hba.conf', 'hostssl all all 127.0.0.1/32 scram-sha-256\n')
  const server = await startPostgres({
    directory,
    port: await freePort(),
    password: PASSWORD,
    logFile: join(root, 'log'),
  })
  return {
    url: server.url,
    caFile: getTestAuthority().caFile,
    async stop() {
      await server.stop()
      await rm(root, { recursive: true })
    },
  }
}
