/**
 * Handles untrusted documents in processes of their own with limits of time and memory. A process needs some tenths of a second to start, so it
 * serves further requests until it has been idle for some minutes. It is started for the first request, gets no secrets of the environment, and
 * ends with its parent. Used by services and by the agent.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import pLimit from 'p-limit'

const IDLE_MS = 3 * 60_000
const MEASURE_MEMORY_EVERY_MS = 20

/** What programs need to start. `MALLOC_ARENA_MAX` keeps the memory of native threads small. */
const ENVIRONMENT = ['NODE_COMPILE_CACHE', 'PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']

export interface ProcessPoolOptions {
  /** Of Node: a program that calls `serveRequests`. */
  args: string[]
  timeoutMs: number
  processesMax: number
}

interface IdleProcess {
  child: ChildProcess
  end: NodeJS.Timeout
}

/** @returns a function whose result is that of the process; undefined if the request exceeds a limit or ends the process. */
export function createProcessPool<Request extends object, Result extends object>({
  args,
  timeoutMs,
  processesMax,
}: ProcessPoolOptions): (request: Request) => Promise<Result | undefined> {
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
 * The program of a process. Resolves when the parent disconnects or dies.
 *
 * @param handle returns undefined if the request exceeds a limit. It must not throw.
 * @param memoryMaxBytes of the whole process. It ends when native code exceeds them.
 */
export async function serveRequests<Request>(
  handle: (request: Request) => Promise<object | undefined>,
  memoryMaxBytes = Number.POSITIVE_INFINITY,
): Promise<void> {
  process.on('message', async (request: Request) => {
    const measuring = setInterval(() => {
      if (process.memoryUsage.rss() > memoryMaxBytes) process.kill(process.pid, 'SIGKILL')
    }, MEASURE_MEMORY_EVERY_MS)
    const result = await handle(request)
    clearInterval(measuring)
    process.send?.(result ?? null)
  })
  await once(process, 'disconnect')
}
