/** A Debian with nothing in it but what every Debian has, for tests that install packages: a directory, entered by `chroot`. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { root as repository } from '../places.ts'
import { run, works } from '../run.ts'

/** All mounts are in a namespace of their own, and are gone with the last process in it. */
const ENTER = `mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"`

/** debootstrap, and apt-get where that is not there. */
const MAKE_LIMIT_MS = 300_000

/** What somebody would see who runs commands as root in there. Of this one's environment they have the path alone. */
export interface CleanRoot {
  dir: string
  /** @throws when the command fails. @returns what it printed. */
  run(command: string, ...args: string[]): Promise<string>
  /** A process that ends with the test. */
  start(env: NodeJS.ProcessEnv, command: string, ...args: string[]): ChildProcess
  /** Installs or upgrades. */
  install(deb: string): Promise<string>
}

/**
 * Why packages cannot be installed in a clean root here; undefined when they can. For `describe.skipIf(…)`. Says it aloud, too.
 *
 * @throws in CI, where a test that is left out is a failure.
 */
export async function whyNoCleanRoot(): Promise<string | undefined> {
  const why = await findWhyNot()
  if (!why) return undefined
  if (process.env.CI) throw new Error(why)
  console.log(`tests of the Debian package are left out: ${why}`)
  return why
}

async function findWhyNot(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'they need root on Linux'
  if (!(await works('apt-get', '--version'))) return 'they need Debian, whose clean roots debootstrap makes'
  if (!(await works('unshare', '--mount', 'true'))) return 'they need the right to mount'
  return undefined
}

/** Removed when the test ends, or by `remove`. */
export async function makeCleanRoot(): Promise<CleanRoot & { remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'platen-root-'))
  await promisify(execFile)(join(repository, 'test/containers/clean-root.sh'), [dir], { timeout: MAKE_LIMIT_MS })
  // It is on this machine's network, by the same names.
  for (const file of ['hosts', 'resolv.conf']) await copyFile(join('/etc', file), join(dir, 'etc', file))
  const entered = (command: string, args: string[]) => [
    '--mount',
    '--propagation=private',
    'sh',
    '-c',
    ENTER,
    dir,
    command,
    ...args,
  ]
  const runInside = (command: string, ...args: string[]) => run('unshare', entered(command, args), { LC_ALL: 'C' })
  return {
    dir,
    run: runInside,
    start(env, command, ...args) {
      const child = spawn('unshare', entered(command, args), {
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      return child
    },
    async install(deb) {
      await copyFile(deb, join(dir, 'tmp', basename(deb)))
      return await runInside('dpkg', '--install', join('/tmp', basename(deb)))
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}
