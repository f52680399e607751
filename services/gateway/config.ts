/** The gateway's settings: names first, meaning second. */
import { REQUESTS_PER_SECOND } from '@platen/resources/limits.ts'
import { budgetSetting } from '@platen/runtime/budget.ts'
import { originUrl, port, readEnvironment } from '@platen/runtime/config.ts'
import { allowedNetworks } from '@platen/runtime/fetch/allowed-networks.ts'
import { secret, secretKeyring } from '@platen/runtime/keyring.ts'
import { CONNECTIONS_ENVIRONMENT } from '@platen/runtime/limit-connections.ts'
import { NATS_VARIABLES, natsSettings } from '@platen/runtime/messaging/settings.ts'
import { TLS_ENVIRONMENT, toTlsFiles } from '@platen/runtime/tls.ts'
import { z } from 'zod'

const KEY_PREFIX = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9])?$/

/** `printline,old-name`: what stood in front of `_live_` and `_test_`. */
const keyPrefixes = z
  .string()
  .transform((text) => text.split(',').map((prefix) => prefix.trim()))
  .refine(
    (prefixes) => prefixes.every((prefix) => KEY_PREFIX.test(prefix)),
    'must be a comma list of prefixes without `_live_` and `_test_`, each of 1 to 32 letters, digits, `-` and `_`',
  )

/** A call to jobs must have room for one. */
const INLINE_DOCUMENT_MAX_BYTES = 512 * 1024

/** The duration of a gateway with a certificate, unless the operator says otherwise: 30 days. */
const HSTS_SECONDS = 30 * 24 * 60 * 60

/** Kinds of installation. The dashboard names the commands of each. */
export const INSTALLATIONS = ['npm-start', 'compose', 'helm'] as const

const ENVIRONMENT = z.object({
  PLATEN_HOST: z.string().optional(),
  PLATEN_PORT: port.default(8080),
  ...TLS_ENVIRONMENT,
  PLATEN_RPC_KEY: secret,
  PLATEN_SIGNING_KEY: secretKeyring,
  PLATEN_ACCOUNTS_URL: z.url(),
  PLATEN_JOBS_URL: z.url(),
  PLATEN_DEVICES_URL: z.url(),
  PLATEN_USAGE_URL: z.url(),
  PLATEN_WEBHOOKS_URL: z.url(),
  PLATEN_FILE_STORE_URL: z.url(),
  PLATEN_INLINE_DOCUMENT_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .max(INLINE_DOCUMENT_MAX_BYTES)
    .default(64 * 1024),
  PLATEN_DOCUMENT_PREVIEW: z.enum(['on', 'off']).default('on'),
  ...NATS_VARIABLES,
  PLATEN_NATS_URL: NATS_VARIABLES.PLATEN_NATS_URL.optional(),
  PLATEN_HSTS_SECONDS: z.coerce.number().int().min(0).optional(),
  PLATEN_RATE_LIMIT_PER_SECOND: z.coerce.number().int().min(1).max(10_000).default(REQUESTS_PER_SECOND),
  PLATEN_ORGANIZATION_RATE_LIMIT_PER_SECOND: budgetSetting('keyRequests'),
  PLATEN_KEY_PREFIX_ALIASES: keyPrefixes.default([]),
  PLATEN_DASHBOARD_DIR: z.string().optional(),
  PLATEN_DOCS_DIR: z.string().optional(),
  PLATEN_AGENT_PACKAGES_DIR: z.string().optional(),
  PLATEN_CLIENT_PACKAGES_DIR: z.string().optional(),
  PLATEN_INSTALLATION: z.enum(INSTALLATIONS).optional(),
  PLATEN_UPGRADE_URL: z.url({ protocol: /^https?$/ }),
  PLATEN_AGENT_PUBLIC_URL: originUrl.optional(),
  PLATEN_PUBLIC_URL: originUrl.optional(),
  ...CONNECTIONS_ENVIRONMENT,
  PLATEN_AGENT_PORT: port.default(8090),
  PLATEN_ALLOWED_NETWORKS: allowedNetworks,
  PLATEN_PRINTNODE_API: z.enum(['on', 'off']).optional(),
  PLATEN_PRINTNODE_HOST: z.string().min(1).optional(),
  PLATEN_IPP: z.enum(['on', 'off']).default('off'),
})

export function readConfig() {
  const env = readEnvironment(ENVIRONMENT)
  return {
    /** Without a host: all interfaces. */
    listen: { host: env.PLATEN_HOST, port: env.PLATEN_PORT },
    /** Undefined: plain HTTP. */
    tls: toTlsFiles(env),
    rpcKey: env.PLATEN_RPC_KEY,
    /** The keys of cursors and body hashes. */
    signingKeys: env.PLATEN_SIGNING_KEY,
    accountsUrl: env.PLATEN_ACCOUNTS_URL,
    jobsUrl: env.PLATEN_JOBS_URL,
    devicesUrl: env.PLATEN_DEVICES_URL,
    usageUrl: env.PLATEN_USAGE_URL,
    webhooksUrl: env.PLATEN_WEBHOOKS_URL,
    upgradeUrl: env.PLATEN_UPGRADE_URL,
    /** Undefined: no dashboard. */
    dashboardDirectory: env.PLATEN_DASHBOARD_DIR,
    /** Undefined: only the page of the operations. */
    docsDirectory: env.PLATEN_DOCS_DIR,
    /** Undefined: no packages of the agent. */
    agentPackagesDirectory: env.PLATEN_AGENT_PACKAGES_DIR,
    /** Undefined: no clients. */
    clientPackagesDirectory: env.PLATEN_CLIENT_PACKAGES_DIR,
    /** Undefined: unknown. */
    installation: env.PLATEN_INSTALLATION,
    /** The URL of the dashboard in browsers; without it that of each request. */
    publicUrl: env.PLATEN_PUBLIC_URL,
    isEncrypted:
      env.PLATEN_PUBLIC_URL === undefined ? toTlsFiles(env) !== undefined : /^https:/i.test(env.PLATEN_PUBLIC_URL),
    trustedProxies: env.PLATEN_TRUSTED_PROXIES,
    /** From one address that is not a proxy. */
    connectionsPerAddress: env.PLATEN_CONNECTIONS_PER_ADDRESS,
    /** Where agents connect; without it at this port of the host that they enrol at. */
    agentPublicUrl: env.PLATEN_AGENT_PUBLIC_URL,
    agentPort: env.PLATEN_AGENT_PORT,
    olderKeyPrefixes: env.PLATEN_KEY_PREFIX_ALIASES,
    fileStoreUrl: env.PLATEN_FILE_STORE_URL,
    /** Documents can be read by `GET /v1/printjobs/{id}/document`. */
    documentPreview: env.PLATEN_DOCUMENT_PREVIEW === 'on',
    inlineDocumentBytes: env.PLATEN_INLINE_DOCUMENT_BYTES,
    nats: env.PLATEN_NATS_URL && natsSettings({ ...env, PLATEN_NATS_URL: env.PLATEN_NATS_URL }),
    hsts: toHsts(env.PLATEN_HSTS_SECONDS, toTlsFiles(env) !== undefined),
    /** Requests of one key. */
    rateLimitPerSecond: env.PLATEN_RATE_LIMIT_PER_SECOND,
    /** Requests of all keys of one organization together. */
    organizationRateLimitPerSecond: env.PLATEN_ORGANIZATION_RATE_LIMIT_PER_SECOND,
    allowedNetworks: env.PLATEN_ALLOWED_NETWORKS,
    /** Undefined: off. Without a host: at all hosts. */
    printNode: toPrintNode(env),
    ipp: env.PLATEN_IPP === 'on',
  }
}

/** A host switches the interface on, too, unless it is switched off. */
function toPrintNode({
  PLATEN_PRINTNODE_API: api,
  PLATEN_PRINTNODE_HOST: host,
}: Pick<z.infer<typeof ENVIRONMENT>, 'PLATEN_PRINTNODE_API' | 'PLATEN_PRINTNODE_HOST'>) {
  return (api ?? (host === undefined ? 'off' : 'on')) === 'on' ? { host: host?.toLowerCase() } : undefined
}

/**
 * The default is for the host alone, because others below it may have no TLS.
 *
 * @returns the value of `Strict-Transport-Security`; undefined: none.
 */
function toHsts(seconds: number | undefined, hasTls: boolean): string | undefined {
  if (seconds === undefined) return hasTls ? `max-age=${HSTS_SECONDS}` : undefined
  return seconds > 0 ? `max-age=${seconds}; includeSubDomains` : undefined
}

export type Config = ReturnType<typeof readConfig>
