/** `platen doctor` without its output. Also the first step of `platen selftest`. */
import { randomBytes } from 'node:crypto'
import { findAgentsUrl, findApiUrl } from '../find-public-urls.ts'
import { findServices } from '../find-services.ts'
import { type Asked, askReplicas } from './ask-replicas.ts'
import type { Finding } from './finding.ts'
import { toFindings } from './findings.ts'
import { checkPublic } from './public.ts'

/**
 * Takes at most 8 s, whatever does not respond.
 *
 * @throws StartupError, ConfigError if it does not know whom to ask.
 */
export async function examine(env: NodeJS.ProcessEnv, { isPublic = false } = {}): Promise<Finding[]> {
  const found = await findServices(env)
  const urls = isPublic && {
    api: await findApiUrl(env, found.dataDirectory),
    agents: await findAgentsUrl(env, found.dataDirectory),
  }
  const fingerprintKey = randomBytes(32)
  const [asked, own, published] = await Promise.all([
    askReplicas(found, fingerprintKey),
    // Only gateways have this setting. In one process with the other services, they report the gateway.
    env.PLATEN_UPGRADE_URL && !env.PLATEN_RPC_LISTEN && !found.dataDirectory ? askGateway(fingerprintKey) : [],
    urls ? checkPublic(urls) : [],
  ])
  return [...toFindings([...asked, ...own]), ...published]
}

async function askGateway(fingerprintKey: Uint8Array): Promise<Asked[]> {
  const { askOwnGateway } = await import('./ask-own-gateway.ts')
  return [await askOwnGateway(fingerprintKey)]
}
