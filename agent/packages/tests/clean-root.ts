/** A Debian with nothing in it but what every Debian has, for tests that install packages: a directory, entered by `chroot`. */
import { execFile, spawn } from 'node:child_process'
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

/**
 * Why packages cannot be installed in a clean root here; undefined when they can. For `describe.skipIf(…)`; prints it, too.
 *
 * @throws in CI, where a test that is left out is a failure.
 */
export async function whyNoCleanRoot(): Promise<string | undefined> {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  if (isRoot && (await works('apt-get', '--version')) && (await works('unshare', '--mount', 'true'))) return undefined
  const why = 'tests of the Debian package need root on a Debian, and the right to mount'
  if (process.env.CI) throw new Error(why)
  console.log(why)
  return why
}

/** `run` and `start` run commands in there as root, with the path alone of the environment of the test. */
export async function makeCleanRoot() {
  const dir = await mkdtemp(join(tmpdir(), 'platen-root-'))
  await promisify(execFile)(join(repository, 'test/containers/clean-root.sh'), [dir], { timeout: MAKE_LIMIT_MS })
  // It is on this machine's network, by the same names.
  for (const file of ['hosts', 'resolv.conf']) await copyFile(join('/etc', file), join(dir, 'etc', file))
  const enter = (command: string[]) => ['--mount', '--propagation=private', 'sh', '-c', ENTER, dir, ...command]
  const runInside = (...command: string[]) => run('unshare', enter(command), { LC_ALL: 'C' })
  return {
    dir,
    run: runInside,
    /** A process that ends with the test. */
    start(more: NodeJS.ProcessEnv, ...command: string[]) {
      const env = { PATH: process.env.PATH, ...more }
      const child = spawn('unshare', enter(command), { env, stdio: ['ignore', 'pipe', 'inherit'] })
      onTestFinished(() => void child.kill('SIGKILL'))
      return child
    },
    /** Installs or upgrades. */
    async install(deb: string) {
      await copyFile(deb, join(dir, 'tmp', basename(deb)))
      return await runInside('dpkg', '--install', join('/tmp', basename(deb)))
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}
