import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNats } from '@platen/deploy/nats.ts'
import { chooseFreePorts } from '@platen/deploy/ports.ts'
import { onTestFinished } from 'vitest'

export interface TestNats {
  url: string
  /** `kill -9`; comes back when it is gone. */
  kill(): Promise<void>
  /** On the same port, with what its store holds. */
  start(): Promise<void>
  /** Its whole store is lost. */
  wipe(): Promise<void>
}

/** A nats-server for one test, which may do to it what it likes. */
export async function startTestNats(): Promise<TestNats> {
  const root = await mkdtemp(join(tmpdir(), 'platen-nats-'))
  const { nats: port } = await chooseFreePorts(['nats'])
  const directory = join(root, 'store')
  const start = () => startNats({ directory, port, token: 'test', logFile: join(root, 'log') })
  let server = await start()
  onTestFinished(async () => {
    await server.stop()
    await rm(root, { recursive: true })
  })
  return {
    url: server.url,
    async kill() {
      process.kill(server.pid, 'SIGKILL')
      await server.ended
    },
    async start() {
      server = await start()
    },
    wipe: () => rm(directory, { recursive: true }),
  }
}
