import { inject, onTestFinished } from 'vitest'
import { loadServers, type ServerSource, type StoppableNats, type TestNats } from './servers.ts'

export type { TestNats }

declare module 'vitest' {
  interface ProvidedContext {
    /** Source of the servers of this run. */
    serverSource: ServerSource
  }
}

/** A nats-server for one test. */
export async function startTestNats(): Promise<TestNats> {
  const nats = await startNatsOfWorker()
  onTestFinished(() => nats.stop())
  return nats
}

/** A nats-server that stops with this process. */
export async function startNatsOfWorker(): Promise<StoppableNats> {
  const servers = await loadServers(inject('serverSource'))
  return await servers.startNats()
}
