/**
 * Handles untrusted documents in processes of their own with limits of time and memory. A process needs some tenths of
 * a second to start, so it serves further requests until it has been idle for some minutes. It is started for the first
 * request, gets no secrets of the environment, and ends with its parent. Used by services and by the agent.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'

const IDLE_MS = 3 * 60_000

/**
 * The processes of one replica of a service. `npm run generate:chart` gives the chart their memory, which refuses a pod
 * that has less. Agents on other computers have those of the test computers.
 */
export const DOCUMENT_PROCESSES = {
  /** Pictures of labels and receipts. Beside the heap what Node itself needs. */
  pictures: { service: 'gateway', processesMax: 2, heapMaxMb: 128, memoryMaxMb: 192 },
  /** Images: 256 MB for an image, beside what its programs need, and outside of the heap. */
  conversions: { service: 'jobs', processesMax: 2, heapMaxMb: 128, memoryMaxMb: 384 },
  /** PDFs: 256 MB of WebAssembly, ten times the largest document, beside the copies of the document. */
  inspections: { service: 'test-computers', processesMax: 2, memoryMaxMb: 448 },
  /** Pages of PDFs, by the same program. */
  drawings: { service: 'test-computers', processesMax: 2, memoryMaxMb: 448 },
} as const satisfies Record<string, Limits>

interface Limits {
  service: string
  /** With two, a document that takes long does not delay the others. */
  processesMax: number
  /** The heap of JavaScript in a process. */
  heapMaxMb?: number
  /** The memory of the whole process, with its native code. */
  memoryMaxMb: number
}

type ProcessName = keyof typeof DOCUMENT_PROCESSES

/** What programs need to start. `MALLOC_ARENA_MAX` keeps the memory of native threads small. */
const ENVIRONMENT = ['NODE_COMPILE_CACHE', 'PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']

export interface ProcessPoolOptions {
  /** Arguments of Node: a program that calls `serveRequests`. */
  program: string[]
  timeoutMs: number
}

interface IdleProcess {
  child: ChildProcess
  end: NodeJS.Timeout
}

/**
 * @returns a function whose result is that of the process; undefined if the request exceeds a limit or ends the
 *   process.
 */
export function createProcessPool<Request extends object, Result extends object>(
  name: ProcessName,
  { program, timeoutMs }: ProcessPoolOptions,
): (request: Request) => Promise<Result | undefined> {
  const { processesMax, heapMaxMb }: Limits = DOCUMENT_PROCESSES[name]
  const args = heapMaxMb === undefined ? program : [`--max-old-space-size=${heapMaxMb}`, ...program]
  const limitProcesses = pLimit(processesMax)
  const idle: IdleProcess[] = []

  function start(): ChildProcess {
    const env = Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]]))
    const child = spawn(process.execPath, args, {
      env: { ...env, MALLOC_ARENA_MAX: '2' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    child.once('disconnect', () => {
      const at = idle.findIndex((one) => one.child === child)
      if (at >= 0) clearTimeout(idle.splice(at, 1)[0]?.end)
    })
    // For example if the program cannot be started. A request then ends by its timeout or this event.
    child.on('error', () => undefined)
    return child
  }

  function takeIdle(): ChildProcess | undefined {
    const last = idle.pop()
    clearTimeout(last?.end)
    return last?.child
  }

  /** An idle process keeps neither its parent nor a test running. */
  function keepIdle(child: ChildProcess): void {
    child.unref()
    child.channel?.unref()
    idle.push({ child, end: setTimeout(() => child.disconnect(), IDLE_MS).unref() })
  }

  async function send(request: Request): Promise<Result | undefined> {
    const child = takeIdle() ?? start()
    child.ref()
    child.channel?.ref()
    const ended = new AbortController()
    const end = () => ended.abort()
    child.once('disconnect', end)
    try {
      child.send(request)
      const [result] = await once(child, 'message', {
        signal: AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)]),
      })
      // Its memory is not usable any more.
      if (result === null) child.kill('SIGKILL')
      else keepIdle(child)
      return result ?? undefined
    } catch {
      child.kill('SIGKILL')
      return undefined
    } finally {
      child.off('disconnect', end)
    }
  }

  return (request) => limitProcesses(() => send(request))
}

/**
 * The program of a process. Resolves when the parent disconnects or dies. The process ends when it exceeds its memory.
 *
 * @param handle returns undefined if the request exceeds a limit. It must not throw.
 */
export async function serveRequests<Request>(
  name: ProcessName,
  handle: (request: Request) => Promise<object | undefined>,
): Promise<void> {
  const setBusy = limitMemory(DOCUMENT_PROCESSES[name].memoryMaxMb * 1024 * 1024)
  process.on('message', async (request: Request) => {
    setBusy(true)
    const result = await handle(request)
    setBusy(false)
    process.send?.(result ?? null)
  })
  await once(process, 'disconnect')
}

/**
 * Measures every 20 ms in a thread, because code that does not wait keeps the main one from its timers. Without a
 * request it sleeps.
 */
const MEMORY_LIMITER = `
const { busy, maxBytes } = require('node:worker_threads').workerData
for (;;) {
  Atomics.wait(busy, 0, 0)
  while (Atomics.wait(busy, 0, 1, 20) === 'timed-out')
    if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGKILL')
}`

/** @returns a function that says whether a request is in progress. */
function limitMemory(maxBytes: number): (isBusy: boolean) => void {
  const busy = new Int32Array(new SharedArrayBuffer(4))
  new Worker(MEMORY_LIMITER, { eval: true, workerData: { busy, maxBytes } }).unref()
  return (isBusy) => {
    Atomics.store(busy, 0, Number(isBusy))
    Atomics.notify(busy, 0)
  }
}

/** @returns MiB of all processes of one replica, by its service. */
export function sumProcessMemory(): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { service, processesMax, memoryMaxMb } of Object.values(DOCUMENT_PROCESSES))
    sums[service] = (sums[service] ?? 0) + processesMax * memoryMaxMb
  return sums
}
