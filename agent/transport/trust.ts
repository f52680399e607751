/** Trusted certificates: the list of Node, the store of the operating system, and `caFile`. */
import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { ConfigError } from '../config.ts'
import { decodeText } from '../decode-text.ts'

interface Trust {
  pem: string | undefined
  context: SecureContext
}

const cache = new Map<string | undefined, Trust>()

/**
 * For one connection. The file is read each time, because its owner replaces it while the agent runs. The context is
 * kept while the certificates are the same, because the lists are long. The last usable certificates stay while the
 * file has none, for example because it is being written.
 *
 * @param caFile PEM certificates, one or more.
 * @throws ConfigError if the file cannot be read or contains no certificate, and never could in this process.
 */
export function getTrustContext(caFile: string | undefined): SecureContext {
  const cached = cache.get(caFile)
  try {
    const pem = caFile === undefined ? undefined : readCertificates(caFile)
    if (cached && cached.pem === pem) return cached.context
    const configured = pem === undefined ? [] : [pem]
    const ca = [...new Set([...getCACertificates('default'), ...getCACertificates('system'), ...configured])]
    const context = createSecureContext({ ca })
    cache.set(caFile, { pem, context })
    return context
  } catch (error) {
    if (cached) return cached.context
    throw error
  }
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
