/** What an installation's processes prove themselves to each other with; made at the first start and kept. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readJson, writePrivateJson } from './private-file.ts'

const SECRETS = z.object({
  postgresPassword: z.string(),
  natsToken: z.string(),
  rpcSecret: z.string(),
  /** Seals the URLs and credentials that documents are fetched with. */
  fetchKey: z.string(),
  /** Seals the secrets of webhook endpoints. */
  webhookKey: z.string(),
})

export type Secrets = z.infer<typeof SECRETS>

export async function openSecrets(file: string): Promise<Secrets> {
  const kept = await readJson(file)
  if (kept !== undefined) return SECRETS.parse(kept)
  const names = Object.keys(SECRETS.shape)
  const secrets = SECRETS.parse(Object.fromEntries(names.map((name) => [name, random()])))
  writePrivateJson(file, secrets)
  return secrets
}

/** 256 bits, in letters that need no escaping in a URL. */
function random(): string {
  return randomBytes(32).toString('base64url')
}
