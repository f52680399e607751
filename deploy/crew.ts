/** All processes of one installation: started as they are added, stopped together in the one right order. */
import type { OpenRunRecord } from './run-record.ts'
import { type Supervised, type Supervisor, supervise } from './supervise.ts'

/** The services stop before the servers that they use. */
const STOP_ORDER = ['platen', 'nats-server', 'postgres']

export interface Crew {
  /** Comes back once the process is ready. Starts nothing any more once the crew is stopping. */
  add(process: Supervised): Promise<void>
  /** Rejects when a process keeps dying. */
  failed: Promise<never>
  stop(): Promise<void>
}

export function createCrew(record: OpenRunRecord, say: (line: string) => void): Crew {
  const members = new Map<string, Supervisor>()
  const { promise: failed, reject: giveUp } = Promise.withResolvers<never>()
  let stopping = false
  return {
    failed,
    async add(process) {
      if (stopping) throw new Error(`${process.name} is not started: everything is stopping`)
      const supervisor = supervise(process, { onPid: record.setPid, say, giveUp })
      members.set(process.name, supervisor)
      await supervisor.ready
    },
    async stop() {
      stopping = true
      for (const name of STOP_ORDER) await members.get(name)?.stop()
    },
  }
}
