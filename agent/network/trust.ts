/** Whose certificates the agent believes: Node's own list, the operating system's store, and a file of the installation's. */
import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { ConfigError } from '../config.ts'

const cache = new Map<string | undefined, SecureContext>()

/**
 * Read once in the life of a process: the lists are long.
 *
 * @param caFile PEM certificates, one or more.
 * @throws ConfigError when the file cannot be read or holds none.
 */
export function getTrustContext(caFile: string | undefined): SecureContext {
  const cached = cache.get(caFile)
  if (cached) return cached
  const own = caFile === undefined ? [] : [readCertificates(caFile)]
  const ca = [...new Set([...getCACertificates('default'), ...getCACertificates('system'), ...own])]
  const context = createSecureContext({ ca })
  cache.set(caFile, context)
  return context
}

function readCertificates(caFile: string): string {
  try {
    const pem = readFileSync(caFile, 'utf8')
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error('it holds no PEM certificate')
    createSecureContext({ ca: pem })
    return pem
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`The file of certificates ${caFile} cannot be used: ${reason}.`, { cause: error })
  }
}
