import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
export interface TestNats {
  url: string
  kill(): Promise<void>
  start(): Promise<void>
  wipe(): Promise<void>
}

import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { waitFor } from './wait-for.ts'
export async function startTestNats(): Promise<TestNats> {
  const dir = await mkdtemp('/tmp/platen-nats-')
  const port = 30000 + Math.floor(Math.random() * 20000)
  let child: ChildProcess
  const nats: TestNats = {
    url: `nats://127.0.0.1:${port}`,
    async start() {
      child = spawn('/tmp/dev/bin/nats-server', ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', dir], {
        stdio: 'ignore',
      })
      await waitFor(async () => {
        const s = connect(port, '127.0.0.1')
        await once(s, 'connect').finally(() => s.destroy())
      })
    },
    async kill() {
      const e = once(child, 'exit')
      child.kill('SIGKILL')
      await e
    },
    async wipe() {
      await rm(dir, { recursive: true })
    },
  }
  await nats.start()
  onTestFinished(async () => {
    await nats.kill()
    await rm(dir, { recursive: true, force: true })
  })
  return nats
}
