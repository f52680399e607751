/** The secrets of an installation, which authenticate its processes and encrypt stored data. Created at the first start. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readJson, writePrivateJson } from './private-file.ts'

const SECRETS = z.object({
  /** Of the owner of the cluster, a superuser. No service receives it. */
  postgresPassword: z.string(),
  /** Of the roles of the services. */
  servicesPassword: z.string(),
  natsToken: z.string(),
  rpcSecret: z.string(),
  /** Of the commands of operators. No service receives it. */
  operatorSecret: z.string(),
  /** Encrypts URLs and credentials of documents. */
  fetchKey: z.string(),
  /** Encrypts secrets of webhook endpoints. */
  webhookKey: z.string(),
  /** Of sign-in codes. */
  signInKey: z.string(),
})

export type Secrets = z.infer<typeof SECRETS>

/** Adds the secrets that an earlier release did not have. */
export async function openSecrets(file: string): Promise<Secrets> {
  const stored = await readJson(file)
  const known = SECRETS.safeParse(stored)
  if (known.success) return known.data
  const names = Object.keys(SECRETS.shape)
  const fresh = Object.fromEntries(names.map((name) => [name, makeSecret()]))
  const secrets = SECRETS.parse(Object.assign(fresh, stored))
  writePrivateJson(file, secrets)
  return secrets
}

/** 256 bits, without characters that need escaping in a URL. */
function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}
