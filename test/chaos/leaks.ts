/**
 * Looks for keys, credentials and contents where they must not be: in tables, logs, the store of NATS, its messages, and with other
 * organizations. Where they may be: contents in the file store, an agent's own credential and contents in its data directory.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Pool } from 'pg'
import { readTablesAsText } from './collect-database.ts'
import { holds, type Secret, secretsOf } from './secrets.ts'
import type { ChaosSystem } from './system/chaos-system.ts'

/** @param messages what the listener heard. */
export async function findLeaks(
  system: ChaosSystem,
  database: Pool,
  messages: readonly string[],
  seed: number,
): Promise<string[]> {
  const secrets = system.tenants.flatMap((tenant) => secretsOf(tenant, seed))
  const leaks: string[] = []
  const search = (place: string, text: Buffer, forbidden: readonly Secret[]) => {
    for (const secret of forbidden) {
      if (holds(text, secret)) leaks.push(`${place}: ${secret.kind} of organization ${secret.organizationId}`)
    }
  }
  const searchFolder = async (folder: string, forbidden: readonly Secret[]) => {
    for await (const path of filesIn(join(system.directory, folder)))
      search(relative(system.directory, path), await readIfThere(path), forbidden)
  }

  search('messages of NATS', Buffer.from(messages.join('\n')), secrets)
  for await (const { table, text } of readTablesAsText(database)) search(table, Buffer.from(text), secrets)
  await searchFolder('logs', secrets)
  await searchFolder('nats', secrets)
  await searchFolder(
    'files',
    secrets.filter(({ kind }) => kind !== 'contents'),
  )
  for (const { organizationId, computerId } of system.tenants) {
    await searchFolder(
      join('agents', computerId),
      secrets.filter((secret) => secret.organizationId !== organizationId || secret.kind === 'key'),
    )
  }
  return leaks
}

/** What runs still replaces its files: one that went since it was listed holds nothing. */
async function readIfThere(path: string): Promise<Buffer> {
  return await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return Buffer.alloc(0)
  })
}

async function* filesIn(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) yield join(entry.parentPath, entry.name)
  }
}
