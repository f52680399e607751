/** Runs Python with the tools of the library, which are installed once into `node_modules/.cache`. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const LIBRARY = import.meta.dirname
export const CACHE = join(LIBRARY, '../../node_modules/.cache/platen')

export type Python = Awaited<ReturnType<typeof preparePython>>

/** Whether this machine has `python3` 3.11 or later with `venv`. */
export async function hasPython(): Promise<boolean> {
  const version = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
  return await promisify(execFile)('python3', ['-c', version]).then(
    () => true,
    () => false,
  )
}

/**
 * Installs the packages that `pyproject.toml` names.
 *
 * @returns a function that runs Python in the directory of the library, or in another one, and returns its standard
 *   output.
 */
export async function preparePython() {
  const project = await readFile(join(LIBRARY, 'pyproject.toml'), 'utf8')
  const venv = join(CACHE, `python-${createHash('sha256').update(project).digest('hex').slice(0, 16)}`)
  const python = (args: string[], env?: NodeJS.ProcessEnv, cwd?: string) =>
    run(join(venv, 'bin/python'), args, env, cwd)
  if (existsSync(join(venv, 'complete'))) return python
  const [, tools = ''] = /^dev = \[(.*)\]$/m.exec(project) ?? []
  const [, dependencies = ''] = /^dependencies = \[(.*)\]$/m.exec(project) ?? []
  await run('python3', ['-m', 'venv', '--clear', venv])
  const packages: string[] = JSON.parse(`[${dependencies}, ${tools}]`)
  await python(['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages])
  await writeFile(join(venv, 'complete'), '')
  return python
}

/** @returns the directory of an older urllib3, for `PYTHONPATH`. */
export async function prepareUrllib3(python: Python, version: string): Promise<string> {
  const directory = join(CACHE, `urllib3-${version}`)
  if (!existsSync(directory))
    await python([
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--target',
      directory,
      `urllib3==${version}`,
    ])
  return directory
}

async function run(program: string, args: string[], env: NodeJS.ProcessEnv = {}, cwd = LIBRARY): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env } }
  return (
    await promisify(execFile)(program, args, options).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${program} ${args.join(' ')}\n${error.stdout}${error.stderr}`)
    })
  ).stdout
}
