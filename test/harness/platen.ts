/** A complete installation started like `npm start`, with its own data directory and ports. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Credentials } from '@platen/deploy/launcher/bootstrap.ts'
import { type Api, createApi } from './api.ts'
import { freePort } from './free-port.ts'
import { NO_RATE_LIMIT } from './no-rate-limit.ts'
import { waitFor } from './wait-for.ts'

export interface Platen {
  dataDir: string
  credentials: Credentials
  /** Uses the test key. */
  api: Api
  /** Output of the launcher. */
  output(): string
  /** The supervising process of `npm start`. */
  launcher: ChildProcess
  /** Current process id of a supervised process, for example "postgres". */
  getPid(name: string): Promise<number>
  allPids(): Promise<number[]>
  /** @returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface PlatenOptions {
  dataDir?: string
  env?: NodeJS.ProcessEnv
}

const READY_LIMIT_MS = 180_000
const LAUNCHER = fileURLToPath(new URL('../../deploy/launcher/main.mjs', import.meta.url))

export async function startPlaten(options: PlatenOptions = {}): Promise<Platen> {
  const dataDir = options.dataDir ?? (await makeDataDir())
  const env = {
    ...process.env,
    PLATEN_PORT: String(await freePort()),
    PLATEN_AGENT_PORT: String(await freePort()),
    PLATEN_DATA_DIR: dataDir,
    ...NO_RATE_LIMIT,
    ...options.env,
  }
  const launcher = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', LAUNCHER], { env, stdio: 'pipe' })
  let output = ''
  for (const stream of [launcher.stdout, launcher.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const isReady = () => {
    if (!output.includes('Platen is ready'))
      throw new Error(`the installation did not become ready:\
${output}`)
  }
  const ended = once(launcher, 'exit')
  await Promise.race([
    waitFor(isReady, READY_LIMIT_MS),
    ended.then(([code]) => Promise.reject(new StartFailed(code, output))),
  ])

  const readJson = async (name: string) => JSON.parse(await readFile(join(dataDir, name), 'utf8'))
  const credentials: Credentials = await readJson('credentials.json')
  const processes = async () => (await readJson('run.json')).processes as Record<string, number>
  return {
    dataDir,
    credentials,
    api: createApi(credentials.baseUrl, credentials.testKey),
    output: () => output,
    launcher,
    async getPid(name) {
      const pid = (await processes())[name]
      if (pid === undefined) throw new Error(`no process has the name ${name}`)
      return pid
    },
    allPids: async () => Object.values(await processes()),
    async stop(signal = 'SIGTERM') {
      if (launcher.exitCode !== null || launcher.signalCode !== null) return launcher.exitCode
      const exited = once(launcher, 'exit')
      launcher.kill(signal)
      const [code] = await exited
      return code
    },
  }
}

/** The launcher exited before it was ready. */
export class StartFailed extends Error {
  readonly exitCode: number | null
  readonly output: string

  constructor(exitCode: number | null, output: string) {
    super(`the start failed with ${exitCode}:\n${output}`)
    this.exitCode = exitCode
    this.output = output
  }
}

export async function makeDataDir(): Promise<string> {
  return await mkdtemp(join(tmpdir(), 'platen-test-'))
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true })
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
