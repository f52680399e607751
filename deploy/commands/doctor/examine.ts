/** `platen-server doctor` without its output. Also the first step of `platen-server selftest`. */
import { findAgentsUrl, findApiUrl } from '../find-public-urls.ts'
import { findServices } from '../find-services.ts'
import { askReplicas } from './ask-replicas.ts'
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
  const [asked, published] = await Promise.all([askReplicas(found), urls ? checkPublic(urls) : []])
  return [...toFindings(asked), ...published]
}
