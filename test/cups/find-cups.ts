/**
 * The programs that tests of printing need: a CUPS of our own starts from them, whatever runs on this machine. Where they are missing they
 * are installed by apt-get, if that is there and this is root. Called by test files, so that no other run waits for it.
 */
import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** With their filters, and what starts `ippeveprinter`. */
const PACKAGES = ['cups', 'cups-ipp-utils', 'cups-filters', 'ghostscript', 'poppler-utils', 'dbus']

/** One of each package, and of `cups` what `cups-daemon` alone does not have. */
const PROGRAMS = [
  'cupsd',
  'lpadmin',
  'socket',
  'rastertopwg',
  'ippeveprinter',
  'pdftopdf',
  'gs',
  'pdfinfo',
  'dbus-daemon',
]

/** `cupsd` and `lpadmin` are on nobody's PATH but root's, backends and filters on nobody's. */
const DIRECTORIES = [
  ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
  ...['/usr/sbin', '/usr/bin', '/usr/lib/cups/backend', '/usr/lib/cups/filter'],
]

/** Who comes second waits. */
const INSTALL_LOCK = join(tmpdir(), 'platen-install-cups.lock')

const run = promisify(execFile)

/**
 * Why tests that need CUPS cannot run here; undefined when they can. For `describe.skipIf(await whyNoCups())`. Says it aloud, too.
 *
 * @throws in CI, where a test that is left out is a failure.
 */
export async function whyNoCups(): Promise<string | undefined> {
  const why = await installCups()
  if (!why) return undefined
  if (process.env.CI) throw new Error(why)
  console.log(`tests on CUPS are left out: ${why}`)
  return why
}

/** @throws Error when this machine has none. */
export function programPath(name: string): string {
  const path = findProgram(name)
  if (!path) throw new Error(`${name} is missing: run the tests as root on Debian, or install ${PACKAGES.join(', ')}.`)
  return path
}

async function installCups(): Promise<string | undefined> {
  const missing = () => PROGRAMS.filter((name) => !findProgram(name))
  if (missing().length === 0) return undefined
  const advice = `install ${PACKAGES.join(', ')}`
  if (process.platform !== 'linux') return `they need Linux, where ippeveprinter needs nothing but D-Bus`
  if (!findProgram('apt-get')) return `${missing().join(', ')} are missing and there is no apt-get: ${advice}`
  if (process.getuid?.() !== 0) return `${missing().join(', ')} are missing and apt-get needs root: ${advice}`
  try {
    // Test files that run side by side find out at the same time. A source that fails is no matter as long as the packages can be had.
    const install = `apt-get update -q; apt-get install -qy --no-install-recommends ${PACKAGES.join(' ')}`
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('flock', [INSTALL_LOCK, 'sh', '-c', install], { env, maxBuffer: Number.POSITIVE_INFINITY })
  } catch (error) {
    return `apt-get failed (${error instanceof Error ? error.message.trim() : error}): ${advice}`
  }
  return missing().length === 0 ? undefined : `${missing().join(', ')} are missing still: ${advice}`
}

function findProgram(name: string): string | undefined {
  return DIRECTORIES.map((directory) => join(directory, name)).find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
