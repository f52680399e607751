/**
 * Runs the steps of a start that need packages in a process that ends when the installation is ready. The launcher,
 * which stays, loads nothing but Node, so that it needs a quarter of the memory.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { compileCache } from '../install/paths.mjs'
import type { Answer, Request, Steps } from './setup.ts'
import { StartupError } from './startup-error.ts'

export interface Setup {
  /** @throws StartupError with the error of the step. */
  run<Step extends keyof Steps>(step: Step, ...input: Parameters<Steps[Step]>): ReturnType<Steps[Step]>
  /** Can be called again. */
  end(): void
}

/** @param stopping ends the process. */
export function startSetup(env: NodeJS.ProcessEnv, stopping: AbortSignal): Setup {
  const child = fork(join(import.meta.dirname, 'setup.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...env, NODE_COMPILE_CACHE: compileCache },
    // Ctrl-C in the terminal signals only the launcher.
    detached: process.platform !== 'win32',
    signal: stopping,
  })
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new StartupError(`The setup ended (${signal ?? `exit code ${code}`}).`)
  })
  ended.catch(() => undefined)
  const run = async (step: keyof Steps, ...input: unknown[]) => {
    child.send({ step, input } satisfies Request)
    const [{ result, error }] = (await Promise.race([once(child, 'message'), ended])) as [Answer]
    if (error !== undefined) throw new StartupError(error)
    return result
  }
  return { run: run as Setup['run'], end: () => child.connected && child.disconnect() }
}
