/** A TLS proxy for a service without TLS, with certificates of an authority that the tests of a worker share. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { listen } from './connect-proxy.ts'

const DAY_MS = 86_400_000
const NEW_KEY = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
const CA_CONF = `[ca]\ndefault_ca=c\n[c]\ndatabase=index\nnew_certs_dir=.\ncertificate=ca.pem\nprivate_key=ca.key
default_md=sha256\nrand_serial=yes\nunique_subject=no\npolicy=p\n[p]\ncommonName=supplied\n`

let authority: ReturnType<typeof createAuthority> | undefined

/** The authority of this worker. Needs the program `openssl`. */
export function getTestAuthority() {
  authority ??= createAuthority()
  return authority
}

function createAuthority() {
  const dir = mkdtempSync(join(tmpdir(), 'platen-ca-'))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  const openssl = (args: string, ...more: string[]) =>
    execFileSync('openssl', [...args.split(' '), ...more], { cwd: dir, stdio: 'pipe' })
  openssl(`req -x509 ${NEW_KEY} -keyout ca.key -out ca.pem -days 30 -subj`, '/O=Corner Shop CA')
  writeFileSync(join(dir, 'ca.conf'), CA_CONF)
  return {
    caFile: join(dir, 'ca.pem'),

    /** @param days the remaining validity; negative for an expired certificate. */
    issue(name: string, days = 30) {
      const format = (ms: number) => new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
      const end = Date.now() + days * DAY_MS
      writeFileSync(join(dir, 'names'), `subjectAltName=${/^[\d.]+$/.test(name) ? 'IP' : 'DNS'}:${name}\n`)
      openssl(`req ${NEW_KEY} -keyout own.key -out own.csr -subj /CN=${name}`)
      writeFileSync(join(dir, 'index'), '')
      const validity = `-startdate ${format(end - 60 * DAY_MS)} -enddate ${format(end)}`
      openssl(`ca -batch -config ca.conf -in own.csr -out own.pem -notext -extfile names ${validity}`)
      return { key: readFileSync(join(dir, 'own.key'), 'utf8'), cert: readFileSync(join(dir, 'own.pem'), 'utf8') }
    },
  }
}

/** @param days see `issue`. @returns the port of a TLS server that forwards to the target. */
export async function startTlsFront(targetUrl: string, name: string, days?: number): Promise<number> {
  const target = new URL(targetUrl)
  const options = { ...getTestAuthority().issue(name, days), ALPNProtocols: ['h2', 'http/1.1'] }
  const server = createServer(options, (socket) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const one of [socket, upstream]) one.on('error', () => one.destroy())
    socket.once('close', () => upstream.destroy())
    upstream.once('close', () => socket.destroy())
    socket.pipe(upstream).pipe(socket)
  })
  server.on('tlsClientError', () => undefined)
  return await listen(server)
}
