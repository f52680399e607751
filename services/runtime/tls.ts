/** The certificate of the ports that are reached from other computers: the REST API and the agents' port. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { z } from 'zod'
import { ConfigError } from './config.ts'
import type { Logger } from './log.ts'
import type { ServiceProcess } from './process.ts'
import { startTimer } from './timers.ts'

/**
 * A replaced certificate is in use after this time. Files are polled, because mounted secrets send no reliable
 * notifications.
 */
const RELOAD_EVERY_MS = 5_000

export const TLS_ENVIRONMENT = {
  PLATEN_TLS_CERT_FILE: z.string().optional(),
  PLATEN_TLS_KEY_FILE: z.string().optional(),
}

/** PEM files. */
export interface TlsFiles {
  certFile: string
  keyFile: string
}

/** Node's options of a TLS server, which then requires TLS 1.2. */
export interface Certificate {
  cert: string
  key: string
}

/** @returns undefined without TLS: the names are not set, or empty. @throws ConfigError if only one file is set. */
export function toTlsFiles(env: { PLATEN_TLS_CERT_FILE?: string; PLATEN_TLS_KEY_FILE?: string }): TlsFiles | undefined {
  const { PLATEN_TLS_CERT_FILE: certFile, PLATEN_TLS_KEY_FILE: keyFile } = env
  if (certFile && keyFile) return { certFile, keyFile }
  if (!certFile && !keyFile) return undefined
  throw new ConfigError('PLATEN_TLS_CERT_FILE and PLATEN_TLS_KEY_FILE must be set together.')
}

/**
 * Reads the certificate, and calls `onChange` with each later one. A file that cannot be used is logged and changes
 * nothing.
 *
 * @throws ConfigError if the files cannot be used at the start.
 */
export async function openCertificate(
  service: ServiceProcess,
  files: TlsFiles,
  onChange: (certificate: Certificate) => void,
): Promise<Certificate> {
  const first = await readCertificate(files)
  let current = first
  let failure = ''
  startTimer(service, 'certificate', RELOAD_EVERY_MS, async () => {
    try {
      const read = await readCertificate(files)
      failure = ''
      if (read.cert === current.cert && read.key === current.key) return
      current = read
      onChange(read)
      service.log.info(files, 'certificate replaced')
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      if (error.message !== failure) service.log.error(`${error.message} The previous certificate stays in use.`)
      failure = error.message
    }
  })
  return first
}

/** @throws ConfigError */
async function readCertificate({ certFile, keyFile }: TlsFiles): Promise<Certificate> {
  try {
    const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
    createSecureContext({ cert, key })
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new Error('the key is not that of the certificate')
    return { cert, key }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(
      `The certificate in PLATEN_TLS_CERT_FILE (${certFile}) and PLATEN_TLS_KEY_FILE (${keyFile}) cannot be used: ${reason}.`,
    )
  }
}

/** @param host undefined for all addresses. */
export function warnAboutCleartext(log: Logger, host: string | undefined, tls: TlsFiles | undefined): void {
  if (tls || (host !== undefined && isLoopback(host))) return
  log.warn(
    { host },
    'listening without TLS on an address that other computers can reach; set PLATEN_TLS_CERT_FILE and PLATEN_TLS_KEY_FILE unless a proxy with TLS is in front',
  )
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)
