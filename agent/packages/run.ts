/** Programs of others that build packages. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * @returns what it printed.
 * @throws when it is not there or fails, with what it said.
 */
export async function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, {
    env: { ...process.env, ...env },
    maxBuffer: 16 * 1024 * 1024,
  })
  return stdout
}

/** Whether the program is there and this call of it succeeds. */
export async function succeeds(command: string, ...args: string[]): Promise<boolean> {
  return await run(command, args).then(
    () => true,
    () => false,
  )
}
