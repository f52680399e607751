/**
 * Combines several spoolers. A job is sent to the spooler that has its printer, and its spooler job id starts with the
 * name of that spooler. If a spooler does not respond, its last known printers are reported, also after a restart of
 * the agent.
 */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { replaceFile } from '../replace-file.ts'
import { withTimeout } from '../with-timeout.ts'
import { type Spooler, SpoolerRefusal } from './spooler.ts'
import { isRelevant, type SpoolerProblem, toSpoolerProblem } from './spooler-problem.ts'

type PrinterList = Awaited<ReturnType<Spooler['printers']>>

const ANSWER_TIMEOUT_MS = 4_000

export interface CombineOptions {
  /** Stores the last known printers of each spooler. */
  file: string
  log: Logger
  answerTimeoutMs?: number
}

/**
 * @param spoolers by name. If two spoolers have a printer of the same name, the first one is used and the other is
 *   logged.
 */
export function combineSpoolers(
  spoolers: Record<string, Spooler>,
  { file, log, answerTimeoutMs = ANSWER_TIMEOUT_MS }: CombineOptions,
): Spooler {
  let saved = readLists(file)
  const lists = new Map<string, PrinterList>(Object.entries(saved).filter(([name]) => name in spoolers))
  const failing = new Map<string, SpoolerProblem>()
  const pending = new Map<string, Promise<PrinterList>>()
  const hidden = new Set<string>()
  const timeoutMessage = `The spooler did not respond within ${answerTimeoutMs / 1000} s.`

  async function refresh(): Promise<void> {
    await Promise.all(Object.entries(spoolers).map(([name, spooler]) => refreshOne(name, spooler)))
    const now = Object.fromEntries(lists)
    try {
      if (!isDeepStrictEqual(saved, now)) replaceFile(file, JSON.stringify(now))
      saved = now
    } catch (error) {
      log.warn({ err: error }, 'saving the list of printers failed')
    }
  }

  async function refreshOne(name: string, spooler: Spooler): Promise<void> {
    const request = pending.get(name) ?? spooler.printers().finally(() => pending.delete(name))
    pending.set(name, request)
    try {
      lists.set(name, await withTimeout(answerTimeoutMs, request, timeoutMessage))
      if (failing.delete(name)) log.info({ spooler: name }, 'spooler responds again')
    } catch (error) {
      const isKnown = failing.has(name)
      failing.set(name, toSpoolerProblem(error))
      if (!isKnown) log.warn({ err: error, spooler: name }, 'listing printers failed, using the last known printers')
    }
  }

  /** The printers of the last known lists. */
  function listKnown(): { name: string; printer: PrinterList[number] }[] {
    const found = new Map<string, { name: string; printer: PrinterList[number] }>()
    for (const name of Object.keys(spoolers))
      for (const printer of lists.get(name) ?? []) {
        const osName = printer.osName ?? ''
        if (!found.has(osName)) found.set(osName, { name, printer })
        else if (!hidden.has(osName)) {
          hidden.add(osName)
          log.warn(
            { spooler: name, printer: osName },
            'printer ignored: another printer has the same name, rename one of them',
          )
        }
      }
    return [...found.values()]
  }

  async function findOwner(printerOsName: string): Promise<[name: string, spooler: Spooler]> {
    const find = () => listKnown().find(({ printer }) => printer.osName === printerOsName)
    if (!find()) await refresh()
    const owner = find()
    if (owner) return [owner.name, getSpooler(owner.name)]
    if (failing.size > 0) throw new Error('A spooler that may have the printer does not respond.')
    throw new SpoolerRefusal(`The computer has no printer "${printerOsName}".`, ['printer-not-found'])
  }

  function getSpooler(name: string): Spooler {
    const spooler = spoolers[name]
    if (!spooler) throw new Error(`The spooler ${name} no longer exists.`)
    return spooler
  }

  /** All spoolers if none has the printer now, because any of them may have had it. */
  async function getCandidates(printerOsName: string | undefined): Promise<[name: string, spooler: Spooler][]> {
    const entries = Object.entries(spoolers)
    if (printerOsName === undefined) return entries
    try {
      return [await findOwner(printerOsName)]
    } catch (error) {
      if (error instanceof SpoolerRefusal) return entries
      throw error
    }
  }

  /** Undefined for a job of a spooler that no longer exists. */
  function findJob(spoolerJobId: string): { spooler: Spooler; id: string } | undefined {
    const [name = '', ...id] = spoolerJobId.split(':')
    const spooler = spoolers[name]
    return spooler && { spooler, id: id.join(':') }
  }

  return {
    async printers() {
      await refresh()
      const known = listKnown()
      // An empty list would remove the printers of a spooler that does not respond.
      const [first] = failing.values()
      if (known.length === 0 && first) throw first
      return known.map(({ printer }) => printer)
    },

    problem: () => [...failing.values()].find((problem) => isRelevant(problem, listKnown().length)),

    rawAddresses: () => new Map(Object.values(spoolers).flatMap(({ rawAddresses }) => [...(rawAddresses?.() ?? [])])),

    async submitHeld(submission) {
      const [name, spooler] = await findOwner(submission.printerOsName)
      const submitted = await spooler.submitHeld(submission)
      return { ...submitted, spoolerJobId: `${name}:${submitted.spoolerJobId}` }
    },

    async find(token, printerOsName) {
      for (const [name, spooler] of await getCandidates(printerOsName)) {
        const found = await spooler.find(token, printerOsName)
        if (found) return { ...found, spoolerJobId: `${name}:${found.spoolerJobId}` }
      }
      return undefined
    },

    async release(spoolerJobId) {
      const job = findJob(spoolerJobId)
      if (!job) throw new Error('The spooler of the job no longer exists.')
      await job.spooler.release(job.id)
    },

    async remove(spoolerJobId) {
      const job = findJob(spoolerJobId)
      await job?.spooler.remove(job.id)
    },

    async state(spoolerJobId) {
      const job = findJob(spoolerJobId)
      return await job?.spooler.state(job.id)
    },

    async *watch(spoolerJobId, signal) {
      const job = findJob(spoolerJobId)
      if (job) yield* job.spooler.watch(job.id, signal)
    },

    start() {
      for (const spooler of Object.values(spoolers)) spooler.start?.()
    },

    async close() {
      await Promise.all(Object.values(spoolers).map((spooler) => spooler.close?.()))
    },
  }
}

/** A damaged file is ignored. */
function readLists(file: string): Record<string, PrinterList> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
