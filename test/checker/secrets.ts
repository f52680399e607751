/** Finds secrets and contents of organizations in sources that must not hold them: tables, logs, stores, answers. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'

export interface Secret {
  /** "key of organization …" */
  name: string
  /** The text, and the encodings in which a program may have written it. */
  forms: Buffer[]
}

/** A text that a run puts into documents, and nowhere else. Fit for a URL. */
export function createCanary(organizationId: string, seed: number): string {
  return `canary-${createHash('sha256').update(`${seed} ${organizationId}`).digest('hex').slice(0, 32)}`
}

export function createSecret(name: string, text: string): Secret {
  const bytes = Buffer.from(text)
  return { name, forms: [bytes, Buffer.from(bytes.toString('hex')), ...base64Forms(bytes)] }
}

/** Base64 depends on the offset in a group of three bytes. Its ends depend on the neighbours, so they are left out. */
function base64Forms(bytes: Buffer): Buffer[] {
  return [0, 1, 2].map((offset) => {
    const whole = bytes.subarray(offset, offset + Math.floor((bytes.length - offset) / 3) * 3)
    return Buffer.from(whole.toString('base64'))
  })
}

export const holds = (text: Buffer, { forms }: Secret) => forms.some((form) => text.includes(form))

/** @returns "jobs.log: key of organization …" for each find. */
export async function findLeaks(sources: AsyncIterable<[source: string, text: Buffer]>, secrets: Secret[]) {
  const leaks: string[] = []
  for await (const [source, text] of sources)
    for (const secret of secrets) if (holds(text, secret)) leaks.push(`${source}: ${secret.name}`)
  return leaks
}

export async function* readFiles(directory: string): AsyncGenerator<[source: string, text: Buffer]> {
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    // A running server may have deleted the file since.
    const text = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (text) yield [path, text]
  }
}

/** Every row of every table but that of small documents, as text. */
export async function* readTables(pool: Pool): AsyncGenerator<[source: string, text: Buffer]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
       AND NOT (schemaname = 'jobs' AND tablename ~ '^document(_other|_[0-9]{8})?$') ORDER BY 1`,
  )
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(`SELECT row::text AS text FROM ${name} AS row`)
    yield [name, Buffer.from(rows.map(({ text }) => text).join('\n'))]
  }
}
