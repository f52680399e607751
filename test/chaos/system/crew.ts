/** The supervised processes of a system. */
import type { RunningProcess, StartOptions } from '@platen/deploy/running-process.ts'
import { type NodeProcess, startProcess } from '@platen/deploy/start-process.ts'
import { type SupervisedProcess, startSupervised, type Troubles } from './supervised-process.ts'

export interface Startable {
  name: string
  start(options: StartOptions): Promise<RunningProcess>
}

export interface Crew {
  members: SupervisedProcess[]
  troubles: Troubles
  /** Side by side; comes back when all are ready. */
  add(processes: Startable[]): Promise<void>
  member(name: string): SupervisedProcess
  /** Those that were added last end first. */
  stop(): Promise<void>
}

export function createCrew(): Crew {
  const troubles: Troubles = { unexpectedEnds: [], failedStarts: [] }
  const members: SupervisedProcess[] = []
  const groups: SupervisedProcess[][] = []
  return {
    members,
    troubles,
    async add(processes) {
      const starts = await Promise.allSettled(
        processes.map(({ name, start }) => startSupervised(name, start, troubles)),
      )
      const group = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
      groups.push(group)
      members.push(...group)
      const failed = starts.find((start) => start.status === 'rejected')
      if (failed) throw failed.reason
    },
    member(name) {
      const found = members.find((member) => member.name === name)
      if (!found) throw new Error(`no process is called ${name}`)
      return found
    },
    async stop() {
      for (const group of groups.toReversed()) await Promise.all(group.map((member) => member.stop()))
    },
  }
}

export function startable(process: NodeProcess): Startable {
  return { name: process.name, start: (options) => startProcess(process, options) }
}
