import { inject, onTestFinished } from 'vitest'
import { loadServers, type ServerSource, type TestNats } from './servers.ts'

export type { TestNats }

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the servers of this run come from. */
    serverSource: ServerSource
  }
}

/** A nats-server for one test. */
export async function startTestNats(): Promise<TestNats> {
  const servers = await loadServers(inject('serverSource'))
  const nats = await servers.startNats()
  onTestFinished(() => nats.stop())
  return nats
}
