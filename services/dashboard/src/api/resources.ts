/**
 * The one cache of jobs, printers and computers, by id. Lists hold ids, so a list and a page always show the same
 * resource. Answers of requests and events of the feed are put into it.
 */
import { isFinalState } from '@platen/resources/job-states.ts'
import type { Capabilities, Computer, Event, EventPrinter, PrintJob } from './gen/schema.ts'

export type Job = PrintJob
export type { Computer }
/** Events have no capabilities. */
export type Printer = EventPrinter & {
  capabilities?: Capabilities
}
export type FeedEvent = Event

export interface ResourceKinds {
  printjob: Job
  computer: Computer
  printer: Printer
}
export type Kind = keyof ResourceKinds

interface Entry {
  kind: Kind
  resource: ResourceKinds[Kind]
  /** The number of the last event; 0 before the first one. */
  sequence: number
  /** A removed printer keeps its name for the jobs that were sent to it. */
  isRemoved: boolean
}

/** What a list of 40 pages holds. The resources that were not used for the longest time are dropped first. */
const ENTRIES_MAX = 4_000

export const isFinal = (job: Job) => isFinalState(job.state)

export class Resources {
  readonly #entries = new Map<string, Entry>()
  readonly #all = new Map<Kind, readonly ResourceKinds[Kind][]>()
  /** Listeners by id, or by kind. */
  readonly #listeners = new Map<string, Set<() => void>>()

  /** From a response. It can be older than the last event, so it never takes a job out of a final state. */
  put<K extends Kind>(kind: K, resource: ResourceKinds[K]): void {
    const sequence = this.#entries.get(resource.id)?.sequence ?? 0
    this.#set({ kind, resource, sequence, isRemoved: false })
  }

  /** From the feed, in its order. An event that is not newer than the last one of its resource changes nothing. */
  apply({ type, sequence, data }: FeedEvent): void {
    const kind = type.slice(0, type.indexOf('.')) as Kind
    const present = this.#entries.get(data.id)
    if (present && sequence <= present.sequence) return
    const resource = { ...present?.resource, ...data } as ResourceKinds[Kind]
    this.#set({ kind, resource, sequence, isRemoved: type === 'printer.removed' })
  }

  /** A deleted computer has no event. Its jobs still show its name. */
  remove(id: string): void {
    const entry = this.#entries.get(id)
    if (entry) this.#set({ ...entry, isRemoved: true })
  }

  get<K extends Kind>(_kind: K, id: string): ResourceKinds[K] | undefined {
    return this.#entries.get(id)?.resource as ResourceKinds[K] | undefined
  }

  has(id: string): boolean {
    return this.#entries.has(id)
  }

  /** The same array until one of them changes. */
  all<K extends Kind>(kind: K): readonly ResourceKinds[K][] {
    const present = [...this.#entries.values()].filter((entry) => entry.kind === kind && !entry.isRemoved)
    const all = this.#all.get(kind) ?? present.map(({ resource }) => resource)
    this.#all.set(kind, all)
    return all as readonly ResourceKinds[K][]
  }

  /** @param topic an id, or a kind for all of its resources. */
  subscribe(topic: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(topic)
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#all.clear()
  }

  #set(entry: Entry): void {
    const { kind, resource } = entry
    const present = this.#entries.get(resource.id)
    // Moves it to the end of the order of use.
    this.#entries.delete(resource.id)
    const isOutdated = kind === 'printjob' && present && isFinal(present.resource as Job) && !isFinal(resource as Job)
    this.#entries.set(resource.id, isOutdated ? present : entry)
    this.#all.delete(kind)
    this.#dropUnused()
    for (const topic of [resource.id, kind]) for (const listener of this.#listeners.get(topic) ?? []) listener()
  }

  #dropUnused(): void {
    if (this.#entries.size <= ENTRIES_MAX) return
    for (const [id, { kind }] of this.#entries) {
      // Printers and computers are few, and names are read from them.
      if (kind !== 'printjob' || this.#listeners.has(id)) continue
      this.#entries.delete(id)
      if (this.#entries.size <= ENTRIES_MAX) return
    }
  }
}
