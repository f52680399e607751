import { ServerCredentials } from '@grpc/grpc-js'
import { AGENT_PORT_LIMITS } from '@platen/resources/limits.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { type Certificate, openCertificate, type TlsFiles } from '@platen/runtime/tls.ts'

/** New connections get the newest certificate; open ones keep theirs. */
class TlsCredentials extends ServerCredentials {
  constructor(certificate: Certificate) {
    super({ handshakeTimeout: AGENT_PORT_LIMITS.idleMs }, certificate)
  }

  override _equals(other: ServerCredentials): boolean {
    return this === other
  }

  replace(certificate: Certificate): void {
    this.updateSecureContextOptions(certificate)
  }
}

/** @throws ConfigError if a file cannot be used. */
export async function openTlsCredentials(service: ServiceProcess, tls: TlsFiles): Promise<ServerCredentials> {
  const credentials = new TlsCredentials(await openCertificate(service, tls, (changed) => credentials.replace(changed)))
  return credentials
}
