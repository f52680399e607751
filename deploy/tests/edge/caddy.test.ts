/**
 * The proxy of `deploy/compose`, with its `Caddyfile` and an authority of its own. Needs the program `caddy` (Debian:
 * caddy).
 */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@platen/test/harness/free-port.ts'
import { connectLightAgent } from '@platen/test/harness/light-agent.ts'
import { type System, startSystem } from '@platen/test/harness/system.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Agent, request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../install/paths.mjs'
import { temporaryDirectory } from '../temporary-directory.ts'

const DOCUMENT_BYTES = 25 * 1024 * 1024
const HOST = 'localhost'
const hasCaddy = spawnSync('caddy', ['version']).status === 0

test.skipIf(!hasCaddy)('one port with TLS takes documents of 25 MB, and leads agents to their stream', async () => {
  const system = await startSystem({ together: true, env: { PLATEN_TRUSTED_PROXIES: '127.0.0.0/8' } })
  onTestFinished(() => system.stop())
  const { key, credential } = await system.addOrganization({ mode: 'live' })
  const { port, ca } = await startCaddy(system)

  const arrived: string[] = []
  const agent = await connectLightAgent(`${HOST}:${port}`, credential, { onPrint: (id) => arrived.push(id) }, ca)
  onTestFinished(() => agent.close())

  const dispatcher = new Agent({ connect: { ca } })
  onTestFinished(() => dispatcher.close())
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const url = `https://${HOST}:${port}${path}`
    const answer = await request(url, { dispatcher, method, headers, body: body && JSON.stringify(body) })
    return { status: answer.statusCode, body: (await answer.body.json()) as { id: string; data: { id: string }[] } }
  }
  const printerId = (await call('GET', '/v1/printers')).body.data[0]?.id
  const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(DOCUMENT_BYTES - 9)]).toString('base64')
  const job = await call('POST', '/v1/printjobs', { printerId, title: 'Large', contentType: 'pdf_base64', content })
  expect(job.status).toBe(201)
  await waitFor(() => expect(arrived).toContain(job.body.id))
})

async function startCaddy({ baseUrl, agentAddress }: System): Promise<{ port: number; ca: string }> {
  const directory = await temporaryDirectory()
  const [port, httpPort] = [await freePort(), await freePort()]
  const options = [`https_port ${port}`, `http_port ${httpPort}`, 'local_certs', 'skip_install_trust', 'admin off']
  const config = join(directory, 'Caddyfile')
  await writeFile(config, `{\n${options.join('\n')}\n}\nimport ${join(root, 'deploy/compose/Caddyfile')}\n`)
  const caddy = spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: directory,
      XDG_DATA_HOME: directory,
      PLATEN_HOST_NAME: HOST,
      PLATEN_GATEWAY: baseUrl,
      PLATEN_AGENTS: `h2c://${agentAddress}`,
    },
  })
  const ended = once(caddy, 'exit')
  onTestFinished(async () => {
    caddy.kill()
    await ended
  })
  const authority = join(directory, 'caddy/pki/authorities/local/root.crt')
  const ca = await waitFor(() => readFile(authority, 'utf8'))
  await waitFor(() => request(`http://${HOST}:${httpPort}`))
  return { port, ca }
}
