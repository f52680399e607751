import { join } from 'node:path'
import { readRunRecord } from '@platen/deploy/launcher/read-run-record.ts'
import { openSecrets } from '@platen/deploy/launcher/secrets.ts'
import { installation } from './installation.ts'

/** @returns the URL of the database of the shared installation, as superuser. */
export async function findDatabaseUrl(): Promise<string> {
  const { postgresPassword } = await openSecrets(join(installation.dataDir, 'secrets.json'))
  const record = await readRunRecord(join(installation.dataDir, 'run.json'))
  return `postgres://platen:${encodeURIComponent(postgresPassword)}@127.0.0.1:${record?.ports.postgres}/platen`
}
