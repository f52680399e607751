/**
 * The secrets of an installation, which authenticate its processes and encrypt stored data. Created at the first start.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readJson, writePrivateJson } from './private-file.ts'

/** The services that call others, by their roles. */
const RPC_CALLERS = ['gateway', 'devices', 'usage', 'webhooks', 'test-computers'] as const

const SECRETS = z.object({
  /** The password of the owner of the cluster, a superuser. No service receives it. */
  postgresPassword: z.string(),
  /** The password of the roles of the services. */
  servicesPassword: z.string(),
  /** Password of the users of the services in NATS. A release without users knows it as a token. */
  natsToken: z.string(),
  /** The password of the user of NATS for operators. No service receives it. */
  natsOperatorPassword: z.string(),
  /** The keys of calls between services. */
  rpcKeys: z.record(z.enum(RPC_CALLERS), z.string()),
  /** The key of cursors and body hashes. */
  signingKey: z.string(),
  /** The secret of the commands of operators. No service receives it. */
  operatorSecret: z.string(),
  /** Encrypts URLs and credentials of documents. */
  fetchKey: z.string(),
  /** Encrypts secrets of webhook endpoints. */
  webhookKey: z.string(),
  /** The key of sign-in codes. */
  signInKey: z.string(),
})

export type Secrets = z.infer<typeof SECRETS>

const EARLIER = z.looseObject({ rpcSecret: z.string().optional() })

/** Adds the secrets that an earlier release did not have. */
export async function openSecrets(file: string): Promise<Secrets> {
  const stored = await readJson(file)
  const known = SECRETS.safeParse(stored)
  if (known.success) return known.data
  const { rpcSecret, ...kept } = EARLIER.parse(stored ?? {})
  // Releases with one secret for all calls also signed with it.
  const secrets = SECRETS.parse({ ...createSecrets(), ...(rpcSecret && { signingKey: rpcSecret }), ...kept })
  writePrivateJson(file, secrets)
  return secrets
}

export function createSecrets(): Secrets {
  const create = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, createSecret()]))
  return SECRETS.parse({ ...create(Object.keys(SECRETS.shape)), rpcKeys: create(RPC_CALLERS) })
}

/** 256 bits, without characters that need escaping in a URL. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url')
}
