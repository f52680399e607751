/**
 * Inspects PDFs in processes of their own with limits of memory and time, because documents are untrusted. A process needs some tenths of a
 * second to start, so it serves further documents until it has been idle for some minutes. It is started for the first PDF, and ends with
 * the agent.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import pLimit from 'p-limit'
import { getProgramArguments } from '../native-packages.ts'
import { SpoolerRefusal } from '../spooler.ts'
import { type Inspection, inspectDocument } from './inspect.ts'

/** The argument of the program that starts `serveInspections`. */
export const INSPECT_PDFS = 'inspect-pdfs'

const TIMEOUT_MS = 20_000

/** Of WebAssembly, in pages of 64 KiB: 256 MB, ten times the largest document. */
const MEMORY_MAX_PAGES = 4_096

const IDLE_MS = 3 * 60_000

/** With two, a document that takes long does not delay the others. */
const PROCESSES_MAX = 2

interface Request {
  file: string
  repairedFile: string | undefined
}

type Answer =
  | { inspection: Inspection }
  | { refusal: Pick<SpoolerRefusal, 'message' | 'reasons'> }
  /** The error of a file. */
  | { failure: string }
  /** PDFium failed, for example without memory. */
  | { exceeded: true }

interface IdleProcess {
  child: ChildProcess
  end: NodeJS.Timeout
}

const limitProcesses = pLimit(PROCESSES_MAX)
const idle: IdleProcess[] = []

/**
 * @param repairedFile see `inspectDocument`.
 * @returns undefined if the document exceeds the limits.
 * @throws SpoolerRefusal as `inspectDocument`, or the error of a file.
 */
export async function inspectPdf(file: string, repairedFile?: string): Promise<Inspection | undefined> {
  const answer = await limitProcesses(() => request({ file, repairedFile }))
  if ('refusal' in answer) throw new SpoolerRefusal(answer.refusal.message, answer.refusal.reasons)
  if ('failure' in answer) throw new Error(answer.failure)
  return 'inspection' in answer ? answer.inspection : undefined
}

async function request(message: Request): Promise<Answer> {
  const child = takeIdle() ?? startProcess()
  child.ref()
  child.channel?.ref()
  const ended = new AbortController()
  const end = () => ended.abort()
  child.once('disconnect', end)
  try {
    child.send(message)
    const [answer] = await once(child, 'message', {
      signal: AbortSignal.any([ended.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    // Its memory is not usable any more.
    if ('exceeded' in answer) child.kill('SIGKILL')
    else keepIdle(child)
    return answer
  } catch {
    child.kill('SIGKILL')
    return { exceeded: true }
  } finally {
    child.off('disconnect', end)
  }
}

function startProcess(): ChildProcess {
  const args = [...getProgramArguments(), INSPECT_PDFS]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  child.once('disconnect', () => removeIdle(child))
  // For example if the program cannot be started. A request then ends by its timeout or this event.
  child.on('error', () => undefined)
  return child
}

function takeIdle(): ChildProcess | undefined {
  const last = idle.pop()
  clearTimeout(last?.end)
  return last?.child
}

/** An idle process keeps neither the agent nor a test running. */
function keepIdle(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  idle.push({ child, end: setTimeout(() => child.disconnect(), IDLE_MS).unref() })
}

function removeIdle(child: ChildProcess): void {
  const at = idle.findIndex((one) => one.child === child)
  if (at >= 0) clearTimeout(idle.splice(at, 1)[0]?.end)
}

/** The process of `inspectPdf`. Ends when the agent disconnects or dies. @returns the exit code. */
export async function serveInspections(): Promise<number> {
  setFlagsFromString(`--wasm-max-mem-pages=${MEMORY_MAX_PAGES}`)
  process.on('message', async (request: Request) => process.send?.(await answer(request)))
  await once(process, 'disconnect')
  return 0
}

async function answer({ file, repairedFile }: Request): Promise<Answer> {
  try {
    return { inspection: await inspectDocument(file, repairedFile) }
  } catch (error) {
    if (error instanceof SpoolerRefusal) return { refusal: { message: error.message, reasons: error.reasons } }
    return error instanceof Error && 'code' in error ? { failure: error.message } : { exceeded: true }
  }
}
