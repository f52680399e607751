/** What an installation's processes prove themselves to each other with; made at the first start and kept. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readJson, writePrivateJson } from './private-file.ts'

const SECRETS = z.object({
  postgresPassword: z.string(),
  natsToken: z.string(),
  rpcSecret: z.string(),
  /** Seals the URLs and credentials that documents are fetched with, for as long as they are needed. */
  fetchKey: z.string(),
})

export type Secrets = z.infer<typeof SECRETS>

export async function openSecrets(file: string): Promise<Secrets> {
  const kept = SECRETS.partial().parse((await readJson(file)) ?? {})
  const fresh = { postgresPassword: random(), natsToken: random(), rpcSecret: random(), fetchKey: random() }
  // An installation that is older than one of them gets that one.
  const secrets = { ...fresh, ...kept }
  if (Object.keys(kept).length < Object.keys(fresh).length) writePrivateJson(file, secrets)
  return secrets
}

/** 256 bits, in letters that need no escaping in a URL. */
function random(): string {
  return randomBytes(32).toString('base64url')
}
