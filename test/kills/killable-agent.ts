/** An agent as it is shipped, in a process that is killed and started again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { compileCache, root } from '@platen/deploy/places.ts'
import { writePrivateJson } from '@platen/deploy/private-file.ts'

export interface KillableAgent {
  start(): void
  /** Resolves when the agent that runs now is connected, or has ended. */
  connected(): Promise<unknown>
  /** `kill -9`; resolves when it is gone. */
  kill(): Promise<void>
}

/** @param config of `agent.json`. */
export function createKillableAgent(dataDir: string, config: object, env: Record<string, string>): KillableAgent {
  writePrivateJson(join(dataDir, 'agent.json'), config)
  let child: ChildProcess | undefined
  let connected: Promise<unknown> | undefined

  return {
    start() {
      const log = openSync(join(dataDir, 'output.log'), 'a')
      child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', 'agent/main.ts', 'run', '--data-dir', dataDir],
        {
          cwd: root,
          env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
          stdio: ['ignore', log, log, 'ipc'],
        },
      )
      closeSync(log)
      connected = Promise.race([once(child, 'message'), once(child, 'exit')])
    },

    async connected() {
      await connected
    },

    async kill() {
      if (child?.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
