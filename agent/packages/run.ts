/** Runs programs that build packages. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * @returns its standard output.
 * @throws if the program is missing or fails; the error contains its output.
 */
export async function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, {
    env: { ...process.env, ...env },
    maxBuffer: 16 * 1024 * 1024,
  })
  return stdout
}

/** On Windows `npm` is a script, which Node does not execute. `npm run` names the program of it. */
export async function runNpm(args: string[]): Promise<string> {
  const { npm_execpath: npm } = process.env
  return process.platform === 'win32' && npm ? await run(process.execPath, [npm, ...args]) : await run('npm', args)
}

/** Whether the program exists and the call succeeds. */
export async function succeeds(command: string, ...args: string[]): Promise<boolean> {
  return await run(command, args).then(
    () => true,
    () => false,
  )
}
