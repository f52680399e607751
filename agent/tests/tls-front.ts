/** TLS in front of a service that speaks none, with certificates of an authority that the test makes. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { onTestFinished } from 'vitest'

export type Authority = ReturnType<typeof makeAuthority>

export interface Certificate {
  key: string
  cert: string
}

/** Needs the program `openssl`. */
export function makeAuthority() {
  const dir = mkdtempSync(join(tmpdir(), 'platen-ca-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '30', '-subj', '/O=Corner Shop CA')
  return {
    caFile: join(dir, 'ca.pem'),

    /** @param days of validity; below 0 it ended so long ago. */
    issue(name: string, days = 30): Certificate {
      const at = (ms: number) => `${new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`
      const end = Date.now() + days * 86_400_000
      writeFileSync(join(dir, 'names'), `subjectAltName=${/^[\d.]+$/.test(name) ? 'IP' : 'DNS'}:${name}\n`)
      openssl('req', ...newKey, '-keyout', 'own.key', '-out', 'own.csr', '-subj', `/CN=${name}`)
      writeFileSync(join(dir, 'index'), '')
      writeFileSync(
        join(dir, 'ca.conf'),
        '[ca]\ndefault_ca=c\n[c]\ndatabase=index\nnew_certs_dir=.\ncertificate=ca.pem\nprivate_key=ca.key\ndefault_md=sha256\nrand_serial=yes\nunique_subject=no\npolicy=p\n[p]\ncommonName=supplied\n',
      )
      const validity = ['-startdate', at(end - 60 * 86_400_000), '-enddate', at(end)]
      openssl(
        'ca',
        '-batch',
        '-config',
        'ca.conf',
        '-in',
        'own.csr',
        '-out',
        'own.pem',
        '-notext',
        '-extfile',
        'names',
        ...validity,
      )
      return { key: readFileSync(join(dir, 'own.key'), 'utf8'), cert: readFileSync(join(dir, 'own.pem'), 'utf8') }
    },
  }
}

/** @returns the port. */
export async function startTlsFront(targetUrl: string, certificate: Certificate): Promise<number> {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  const server = createServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    const onward = connect(Number(target.port), target.hostname)
    for (const one of [socket, onward]) {
      sockets.add(one)
      one.on('error', () => one.destroy())
    }
    socket.once('close', () => onward.destroy())
    onward.once('close', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
