/** The programs of CUPS. Missing ones are installed with apt-get, if this is root on Debian. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** With their filters, checkers of PDF, and D-Bus for `ippeveprinter`. */
const PACKAGES = 'cups cups-ipp-utils cups-filters ghostscript poppler-utils qpdf dbus'

/** At least one of each package, and of `cups` what `cups-daemon` alone does not have. */
const PROGRAMS = 'cupsd lpadmin socket rastertopwg ippeveprinter pdftopdf gs pdfinfo qpdf dbus-daemon'.split(' ')

/** `cupsd` and `lpadmin` are only on the PATH of root, backends and filters on none. */
const DIRECTORIES = [
  ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
  ...['/usr/sbin', '/usr/bin', '/usr/lib/cups/backend', '/usr/lib/cups/filter'],
]

/** A second run waits. */
const INSTALL_LOCK = join(tmpdir(), 'platen-install-cups.lock')

const run = promisify(execFile)

/** @returns and prints why tests that need CUPS cannot run here; undefined when they can. @throws in CI. */
export async function whyNoCups(): Promise<string | undefined> {
  const why = await installCups()
  if (!why) return undefined
  if (process.env.CI) throw new Error(why)
  console.log(`tests on CUPS are skipped: ${why}`)
  return why
}

/** @throws Error if the program is missing. */
export function programPath(name: string): string {
  const path = findProgram(name)
  if (!path) throw new Error(`${name} is missing: run the tests as root on Debian, or install ${PACKAGES}.`)
  return path
}

/** The names of the programs that tests on CUPS lack. */
export const missingPrograms = (): string[] => PROGRAMS.filter((name) => !findProgram(name))

async function installCups(): Promise<string | undefined> {
  if (missingPrograms().length === 0) return undefined
  const advice = `install ${PACKAGES}`
  if (process.platform !== 'linux') return `they need Linux, where ippeveprinter needs nothing but D-Bus`
  if (!findProgram('apt-get')) return `${missingPrograms().join(', ')} are missing and there is no apt-get: ${advice}`
  if (process.getuid?.() !== 0) return `${missingPrograms().join(', ')} are missing and apt-get needs root: ${advice}`
  try {
    const install = `apt-get update -q; apt-get install -qy --no-install-recommends ${PACKAGES}`
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('flock', [INSTALL_LOCK, 'sh', '-c', install], { env, maxBuffer: Number.POSITIVE_INFINITY })
  } catch (error) {
    return `apt-get failed (${error instanceof Error ? error.message.trim() : error}): ${advice}`
  }
  return missingPrograms().length === 0 ? undefined : `${missingPrograms().join(', ')} are missing still: ${advice}`
}

function findProgram(name: string): string | undefined {
  return DIRECTORIES.map((directory) => join(directory, name)).find((path) => existsSync(path))
}
