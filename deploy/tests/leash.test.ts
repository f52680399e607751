import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../test/harness/free-port.ts'
import { waitFor } from '../../test/harness/wait-for.ts'
import { startNats } from '../nats.ts'
import { identify } from '../process-identity.ts'
import { startLeashed } from '../start-leashed.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const HOLD_SERVERS = join(import.meta.dirname, 'hold-servers.ts')

async function holdServers(directory: string) {
  const launcher = spawn(process.execPath, [HOLD_SERVERS, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(launcher.stdout), 'line')
  return { launcher, pids: JSON.parse(line) as { postgres: number; nats: number } }
}

test('PostgreSQL and nats-server end when their launcher is killed, and start again on the same data at once', {
  timeout: 120_000,
}, async () => {
  const directory = await temporaryDirectory()
  for (let life = 1; life <= 2; life++) {
    const { launcher, pids } = await holdServers(directory)
    launcher.kill('SIGKILL')
    await waitFor(() => expect([identify(pids.postgres), identify(pids.nats)]).toEqual([undefined, undefined]))
  }
})

test('servers that are stopped by SIGSTOP end with their launcher, too', async () => {
  const { launcher, pids } = await holdServers(await temporaryDirectory())
  for (const pid of Object.values(pids)) process.kill(pid, 'SIGSTOP')
  onTestFinished(() => {
    for (const pid of Object.values(pids)) if (identify(pid)) process.kill(pid, 'SIGKILL')
  })
  launcher.kill('SIGKILL')
  await waitFor(() => expect([identify(pids.postgres), identify(pids.nats)]).toEqual([undefined, undefined]))
})

test('a stopped server is gone, with the shell that held it', async () => {
  const directory = await temporaryDirectory()
  const port = await freePort()
  const server = await startNats({ directory, port, token: 'secret', logFile: join(directory, 'log') })
  await server.stop()
  expect(identify(server.pid)).toBeUndefined()
})

test.each([
  ['exit 3', 'exit code 3'],
  ['kill -KILL $$', 'signal 9'],
])('the launcher sees how a server ended: %s', async (script, how) => {
  const directory = await temporaryDirectory()
  const server = await startLeashed({
    name: 'server',
    command: '/bin/sh',
    args: ['-c', script],
    endSignal: 'SIGTERM',
    logFile: join(directory, 'log'),
  })
  expect(await server.ended).toBe(how)
})
