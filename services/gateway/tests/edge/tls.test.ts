/** The REST API with a certificate. */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { get as getPlain } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { getTestAuthority } from '@platen/agent/tests/tls-front.ts'
import { connectTls, createTlsProcess, HOST } from '@platen/test/harness/tls-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { serveHttp } from '../../http-server.ts'

const CONNECTIONS = { perAddress: 10, trustedProxies: [] }

async function start() {
  const process = await createTlsProcess()
  const serialNumber = await process.replace()
  const received: string[] = []
  const { port } = await serveHttp(
    process.service,
    (incoming, response) => {
      incoming.on('data', (chunk: Buffer) => void received.push(chunk.toString()))
      incoming.on('end', () => response.end(received.join('')))
    },
    { listen: { host: HOST, port: 0 }, tls: process.tls, hsts: undefined, connections: CONNECTIONS },
  )
  return { ...process, serialNumber, received, port }
}

test('the REST API speaks TLS and no plain HTTP, and new connections see a replaced certificate while an upload continues', async () => {
  const { port, serialNumber, replace, received } = await start()
  expect(await connectTls(port)).toEqual({ serialNumber, alpn: 'http/1.1' })
  const [refusal] = await once(getPlain({ host: HOST, port }), 'error')
  expect(refusal).toBeInstanceOf(Error)

  const upload = request({
    host: HOST,
    port,
    method: 'POST',
    ca: readFileSync(getTestAuthority().caFile),
    agent: false,
  })
  upload.write('before ')
  await waitFor(() => expect(received).toEqual(['before ']))
  const next = await replace()
  expect(await connectTls(port)).toEqual({ serialNumber: next, alpn: 'http/1.1' })
  const answered = once(upload, 'response')
  upload.end('after')
  const [response] = await answered
  expect(await text(response)).toBe('before after')
})

test('a broken new certificate is logged once as an error, and the previous one stays in use', async () => {
  const { port, serialNumber, tls, logs, write } = await start()
  const [cert, key] = [readFileSync(tls.certFile, 'utf8'), readFileSync(tls.keyFile, 'utf8')]
  const other = getTestAuthority().issue(HOST)
  for (let times = 0; times < 2; times++) await write(cert, other.key)
  const errors = () => logs.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')
  expect(errors()).toMatchObject([{ msg: expect.stringMatching(/PLATEN_TLS_CERT_FILE .* cannot be used: .*previous/) }])
  expect(await connectTls(port)).toMatchObject({ serialNumber })
  await write(cert, key)
  await write('', '')
  expect(errors()).toHaveLength(2)
  expect(await connectTls(port)).toMatchObject({ serialNumber })
})

test('a stop ends idle TLS connections, and lets requests finish', async () => {
  const { port, service, received } = await start()
  const ca = readFileSync(getTestAuthority().caFile)
  const upload = request({ host: HOST, port, method: 'POST', ca, agent: false })
  upload.write('before ')
  await waitFor(() => expect(received).toEqual(['before ']))
  const idle = request({ host: HOST, port, ca, agent: false })
  const [socket] = await once(idle, 'socket')
  await once(socket, 'secureConnect')
  idle.on('error', () => undefined)
  const stopped = service.stop()
  await once(socket, 'close')
  const answered = once(upload, 'response')
  upload.end('after')
  expect(await text((await answered)[0])).toBe('before after')
  await stopped
})

test.each([
  ['certificate', 'certFile'],
  ['key', 'keyFile'],
] as const)('a start with an unusable %s is refused', async (_, name) => {
  const { service, tls, replace } = await createTlsProcess()
  await replace()
  writeFileSync(tls[name], 'no PEM')
  const options = { listen: { host: HOST, port: 0 }, tls, hsts: undefined, connections: CONNECTIONS }
  await expect(serveHttp(service, () => undefined, options)).rejects.toThrow(tls[name])
})
