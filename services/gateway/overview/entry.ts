import type { Computer, Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { shorten } from '@platen/resources/explain/to-facts.ts'

export const KINDS = ['failed-jobs', 'waiting-jobs', 'computer', 'printer', 'destination', 'webhook', 'plan'] as const

export interface Entry {
  kind: (typeof KINDS)[number]
  /** The state reason, the code of the explanation, the kind of the alert, or the state of the endpoint or plan. */
  code: string
  text: string
  /** How many jobs it is about. Null: none. */
  jobs: number | null
  /** The state of failed jobs, which have no other state. */
  state: 'error' | 'expired' | null
  computerId: string | null
  printerId: string | null
  destinationId: string | null
  webhookId: string | null
}

/** Devices by id. */
export interface Devices {
  printers: Map<string, Printer>
  computers: Map<string, Computer>
}

export const toEntry = (entry: Pick<Entry, 'kind' | 'code' | 'text'> & Partial<Entry>): Entry => ({
  ...{ jobs: null, state: null, computerId: null, printerId: null, destinationId: null, webhookId: null },
  ...entry,
})

/** For texts. A removed printer is named by the end of its id. */
export function getNames({ printers, computers }: Devices, printerId: string) {
  const printer = printers.get(printerId)
  const computer = computers.get(printer?.computerId ?? '')
  return {
    printer: shorten(printer?.displayName ?? `…${printerId.slice(-6)}`),
    computer: shorten(computer?.name ?? 'of the printer'),
  }
}

export const countJobs = (jobs: number) => (jobs === 1 ? '1 job' : `${jobs.toLocaleString('en')} jobs`)
