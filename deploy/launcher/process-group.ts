/** The processes of one installation, which are stopped together. */
import type { OpenRunRecord } from './run-record.ts'
import type { RunningProcess } from './running-process.ts'
import { type Supervised, Supervisor, type SupervisorOptions } from './supervise.ts'

/** The services stop before the servers that they use. */
const STOP_ORDER = ['platen', 'nats-server', 'postgres']

export interface ProcessGroup {
  /** @returns the process when it is ready. @throws Error if the group is stopping. */
  add<Process extends RunningProcess>(process: Supervised<Process>): Promise<Process>
  /** Rejects when a process ends repeatedly. */
  failed: Promise<never>
  stop(): Promise<void>
}

export function createProcessGroup(
  record: OpenRunRecord,
  options: Pick<SupervisorOptions, 'report' | 'isDiskFull'>,
): ProcessGroup {
  const supervisors = new Map<string, Pick<Supervisor<RunningProcess>, 'stop'>>()
  const { promise: failed, reject: onFailed } = Promise.withResolvers<never>()
  let stopping = false
  return {
    failed,
    async add(process) {
      if (stopping) throw new Error(`${process.name} is not started because the installation is stopping`)
      const supervisor = new Supervisor(process, { ...options, onPid: record.setPid, onFailed })
      supervisors.set(process.name, supervisor)
      return await supervisor.ready
    },
    async stop() {
      stopping = true
      for (const name of STOP_ORDER) await supervisors.get(name)?.stop()
    },
  }
}
