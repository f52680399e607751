/** All processes of one installation: started as they are added, stopped together in the one right order. */
import type { OpenRunRecord } from './run-record.ts'
import type { RunningProcess } from './running-process.ts'
import { type Supervised, type Supervisor, supervise } from './supervise.ts'

/** The services stop before the servers that they use. */
const STOP_ORDER = ['platen', 'nats-server', 'postgres']

export interface Crew {
  /** @returns the process once it is ready. Starts nothing any more once the crew is stopping. */
  add<Process extends RunningProcess>(process: Supervised<Process>): Promise<Process>
  /** Rejects when a process keeps dying. */
  failed: Promise<never>
  stop(): Promise<void>
}

export function createCrew(record: OpenRunRecord, say: (line: string) => void): Crew {
  const members = new Map<string, Pick<Supervisor<unknown>, 'stop'>>()
  const { promise: failed, reject: giveUp } = Promise.withResolvers<never>()
  let stopping = false
  return {
    failed,
    async add(process) {
      if (stopping) throw new Error(`${process.name} is not started: everything is stopping`)
      const supervisor = supervise(process, { onPid: record.setPid, say, giveUp })
      members.set(process.name, supervisor)
      return await supervisor.ready
    },
    async stop() {
      stopping = true
      for (const name of STOP_ORDER) await members.get(name)?.stop()
    },
  }
}
