/**
 * Loads packages with native code or WebAssembly, which a bundle cannot contain, from `node_modules` of the program
 * only. Node also searches all parent directories and the home directory. On Windows every user may create
 * `C:\node_modules`, and the agent runs as LocalSystem.
 */
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Undefined in a bundle. */
const moduleUrl: string | undefined = import.meta.url

/** The directory of the bundle, otherwise of this project. */
const programDir = moduleUrl ? fileURLToPath(new URL('../..', moduleUrl)) : dirname(process.argv[1] ?? process.execPath)

/** @throws as `resolveNative`. */
export function loadNative(name: string, dir = programDir): unknown {
  return createRequire(join(dir, '/'))(resolveNative(name, dir))
}

/**
 * @param name of a package, or of one of its files.
 * @returns the path of the file, without symbolic links.
 * @throws Error if the program has no such package, also if another directory has one.
 */
export function resolveNative(name: string, dir = programDir): string {
  const modules = join(dir, 'node_modules')
  try {
    const path = createRequire(join(dir, '/')).resolve(name)
    const inside = relative(realpathSync(modules), path)
    if (!inside.startsWith('..') && !isAbsolute(inside)) return path
  } catch (error) {
    throw new Error(`The native package ${name} cannot be loaded from ${modules}.`, { cause: error })
  }
  throw new Error(`The native package ${name} is missing in ${modules}. Install the agent again.`)
}

/** The arguments of Node that start this program again. */
export function getProgramArguments(): string[] {
  if (moduleUrl) return [fileURLToPath(new URL('../main.ts', moduleUrl))]
  return process.argv[1] ? [process.argv[1]] : []
}
