/**
 * An agent that keeps a journal as the shipped one does, and prints when the run lets it. Its messages wait until it is
 * run.
 */

import { connectTestAgent, LASER, type TestAgent, type TestPrinter } from '@platen/devices/tests/test-agent.ts'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { SpoolerCall } from '../checker/history.ts'

/** `done` is settled when its report is confirmed. */
type Phase = 'staged' | 'granted' | 'refused' | 'released' | 'done' | 'settled'

interface Entry {
  attempt: number
  printer: string
  phase: Phase
  /** The confirmed report. */
  confirmed?: 'printing' | 'done'
}

export type Breakage = 'media-empty' | 'paused' | 'offline'

export interface SimulatedPrinter {
  id: string
  osName: string
  breakage?: Breakage
  enabled: boolean
}

interface Owner {
  address: string
  credential: string
  computerId: string
  now: () => number
  /** Ids of the printers are filled in later. */
  printers: SimulatedPrinter[]
}

export class SimulatedAgent {
  readonly owner: Owner
  readonly spoolerCalls: SpoolerCall[] = []
  readonly welcomedAtMs: number[] = []
  /** It is alive, and reads nothing after Welcome. */
  isSlow = false
  isPaused = false
  private readonly journal = new Map<string, Entry>()
  private stream: TestAgent | undefined
  private isWelcome = false
  private handled = 0
  private streams = 0

  constructor(owner: Owner) {
    this.owner = owner
  }

  get isConnected(): boolean {
    return this.isWelcome && this.stream?.isOver() === false
  }

  get isConnecting(): boolean {
    return !this.isWelcome && this.stream?.isOver() === false
  }

  get unsettledJobIds(): string[] {
    return [...this.journal].filter(([, { phase }]) => phase !== 'settled' && phase !== 'refused').map(([id]) => id)
  }

  connect(): void {
    const { address, credential, printers, computerId } = this.owner
    this.stream = connectTestAgent(address, credential)
    this.isWelcome = false
    this.handled = 0
    this.stream.hello(printers.map(toReport), this.unsettledJobIds, computerId, ++this.streams)
  }

  /**
   * @param how `drop`: the cable is pulled. `shutDown`: the program ends in order. Messages that it has not read are
   *   lost.
   */
  disconnect(how: 'drop' | 'shutDown'): void {
    this.stream?.[how]()
    this.stream = undefined
    this.isWelcome = false
  }

  /** Reads what has arrived. @returns whether there was anything. */
  read(): boolean {
    if (!this.stream || (this.isSlow && this.isWelcome)) return false
    const arrived = this.stream.messages.slice(this.handled)
    this.handled += arrived.length
    for (const message of arrived) this.hear(message)
    return arrived.length > 0
  }

  /** Sends again what is not answered. */
  repeat(): void {
    if (!this.isConnected || this.isSlow) return
    for (const [jobId, entry] of this.journal) {
      if (entry.phase === 'staged') this.stream?.received(jobId, entry.attempt)
      else if (entry.phase === 'released' || entry.phase === 'done') this.report(jobId, entry)
    }
  }

  heartbeat(): void {
    if (this.isConnected) this.stream?.heartbeat()
  }

  /** The printer hands over its next job, or ends the one that it prints. A broken one does nothing. */
  print(printer: SimulatedPrinter): void {
    if (printer.breakage) return
    const own = [...this.journal].filter(([, entry]) => entry.printer === printer.osName)
    const printing = own.find(([, { phase }]) => phase === 'released')
    if (printing) this.finish(...printing)
    else {
      const next = own.find(([, { phase }]) => phase === 'granted')
      if (next) this.release(...next)
    }
  }

  private hear(message: TestAgent['messages'][number]): void {
    switch (message.case) {
      case 'welcome':
        this.isWelcome = true
        this.welcomedAtMs.push(this.owner.now())
        this.repeat()
        return
      case 'print': {
        const { jobId, attempt, printerOsName } = message.value
        const known = this.journal.get(jobId)
        if (known && known.phase !== 'refused') known.attempt = attempt
        else {
          this.journal.delete(jobId)
          this.journal.set(jobId, { attempt, printer: printerOsName, phase: 'staged' })
        }
        this.stream?.received(jobId, attempt)
        return
      }
      case 'granted': {
        const { jobId, attempt } = message.value
        const entry = this.journal.get(jobId)
        if (entry?.attempt !== attempt) return
        if (entry.phase === 'staged') entry.phase = 'granted'
        else if (entry.phase === 'released' || entry.phase === 'done') this.report(jobId, entry)
        return
      }
      case 'refused': {
        const { jobId, attempt, state } = message.value
        const entry = this.journal.get(jobId)
        if (entry?.attempt !== attempt) return
        const isMine = ['queued', 'sent', 'received', 'printing'].includes(state)
        if (entry.phase === 'staged' || (entry.phase === 'granted' && !isMine)) entry.phase = 'refused'
        return
      }
      case 'remove': {
        const { jobId } = message.value
        const entry = this.journal.get(jobId)
        if (entry?.phase === 'staged' || entry?.phase === 'granted') entry.phase = 'refused'
        this.stream?.send({ case: 'removed', value: { jobId } })
        return
      }
      case 'reportConfirmed': {
        const [jobId = '', step] = message.value.reportId.split(' ')
        const entry = this.journal.get(jobId)
        if (!entry || entry.phase === 'settled') return
        if (step === 'printing') {
          entry.confirmed ??= 'printing'
          if (entry.phase === 'done') this.report(jobId, entry)
        } else if (entry.phase === 'done') entry.phase = 'settled'
      }
    }
  }

  private release(jobId: string, entry: Entry): void {
    const { computerId, now } = this.owner
    entry.phase = 'released'
    for (const call of ['submit', 'release'] as const)
      this.spoolerCalls.push({ call, computerId, token: jobId, spoolerJobId: jobId, atMs: now() })
    this.report(jobId, entry)
  }

  private finish(jobId: string, entry: Entry): void {
    entry.phase = 'done'
    this.report(jobId, entry)
  }

  /** The reports of a job follow each other. */
  private report(jobId: string, { attempt, phase, confirmed }: Entry): void {
    if (!this.isConnected) return
    if (confirmed === undefined) this.stream?.report(jobId, ReportedState.PRINTING, `${jobId} printing`, { attempt })
    else if (phase === 'done') this.stream?.report(jobId, ReportedState.DONE, `${jobId} done`, { attempt })
  }
}

export const toReport = ({ osName, breakage }: SimulatedPrinter): TestPrinter => ({
  ...LASER,
  osName,
  name: osName,
  isDefault: false,
  state: breakage === 'offline' ? 'offline' : 'online',
  stateReasons: breakage && breakage !== 'offline' ? [breakage] : [],
})
