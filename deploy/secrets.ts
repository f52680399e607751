/** The secrets of an installation, which authenticate its processes and encrypt stored data. Created at the first start. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readJson, writePrivateJson } from './private-file.ts'

const SECRETS = z.object({
  postgresPassword: z.string(),
  natsToken: z.string(),
  rpcSecret: z.string(),
  /** Encrypts URLs and credentials of documents. */
  fetchKey: z.string(),
  /** Encrypts secrets of webhook endpoints. */
  webhookKey: z.string(),
})

export type Secrets = z.infer<typeof SECRETS>

export async function openSecrets(file: string): Promise<Secrets> {
  const stored = await readJson(file)
  if (stored !== undefined) return SECRETS.parse(stored)
  const names = Object.keys(SECRETS.shape)
  const secrets = SECRETS.parse(Object.fromEntries(names.map((name) => [name, makeSecret()])))
  writePrivateJson(file, secrets)
  return secrets
}

/** 256 bits, without characters that need escaping in a URL. */
function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}
