/** A service process with a certificate in files, which a test replaces. */
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { getTestAuthority } from '@platen/agent/tests/tls-front.ts'
import { createLogger } from '@platen/runtime/log.ts'
import type { Timer } from '@platen/runtime/timers.ts'
import { onTestFinished } from 'vitest'
import { createTestProcess } from './test-process.ts'

export const HOST = '127.0.0.1'

export async function createTlsProcess() {
  const directory = await mkdtemp(join(tmpdir(), 'platen-tls-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const tls = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') }
  const logs: string[] = []
  const timers = new Map<string, Timer['sweep']>()
  const service = createTestProcess('tls', {
    log: createLogger('tls', 'info', { write: (line: string) => void logs.push(line) }),
    runTimer: ({ name, sweep }) => void timers.set(name, sweep),
  })
  onTestFinished(() => service.stop())
  const sweep = async () => await timers.get('certificate')?.()
  const write = async (cert: string, key: string) => {
    writeFileSync(tls.certFile, cert)
    writeFileSync(tls.keyFile, key)
    await sweep()
  }
  /** @returns the serial number of the certificate that is now in the files. */
  async function replace(): Promise<string> {
    const { cert, key } = getTestAuthority().issue(HOST)
    await write(cert, key)
    return readSerialNumber(cert)
  }
  return { service, tls, logs, write, replace }
}

const readSerialNumber = (cert: string) => new X509Certificate(cert).serialNumber

/** Connects as a client that trusts the test authority. */
export async function connectTls(port: number): Promise<{ serialNumber: string; alpn: unknown }> {
  const ca = readFileSync(getTestAuthority().caFile)
  const socket = connect({ host: HOST, port, ca, ALPNProtocols: ['h2', 'http/1.1'] })
  await once(socket, 'secureConnect')
  const shown = { serialNumber: socket.getPeerCertificate().serialNumber, alpn: socket.alpnProtocol }
  socket.destroy()
  return shown
}
