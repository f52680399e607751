/** Trusted certificates: the list of Node, the store of the operating system, and `caFile`. */
import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { ConfigError } from '../config.ts'
import { decodeText } from '../decode-text.ts'

const cache = new Map<string | undefined, SecureContext>()

/**
 * Cached per process, because the lists are long.
 *
 * @param caFile PEM certificates, one or more.
 * @throws ConfigError if the file cannot be read or contains no certificate.
 */
export function getTrustContext(caFile: string | undefined): SecureContext {
  const cached = cache.get(caFile)
  if (cached) return cached
  const configured = caFile === undefined ? [] : [readCertificates(caFile)]
  const ca = [...new Set([...getCACertificates('default'), ...getCACertificates('system'), ...configured])]
  const context = createSecureContext({ ca })
  cache.set(caFile, context)
  return context
}

function readCertificates(caFile: string): string {
  try {
    const pem = decodeText(readFileSync(caFile))
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error('it contains no PEM certificate')
    createSecureContext({ ca: pem })
    return pem
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`The certificate file ${caFile} is not usable: ${reason}.`, { cause: error })
  }
}
