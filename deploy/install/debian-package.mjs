/**
 * Debian's and Ubuntu's `nats-server`, fetched with apt's own checks of signatures but without root: all that apt writes goes to
 * a private directory, since a fresh machine's lists are missing or stale and only root may renew them.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { run } from './run.mjs'

export const debianPackage = {
  doing: "Fetching the distribution's nats-server",
  isOffered: () => ['/usr/bin/apt-get', '/usr/bin/dpkg-deb'].every((program) => existsSync(program)),
  fetchInto,
}

/**
 * @param {string} directory an empty one
 * @returns {Promise<string>} the program's path
 */
async function fetchInto(directory) {
  const lists = join(directory, 'lists')
  const cache = join(directory, 'cache')
  await mkdir(join(lists, 'partial'), { recursive: true })
  await mkdir(join(cache, 'archives/partial'), { recursive: true })
  const settings = [
    `Dir::State=${directory}`,
    `Dir::State::lists=${lists}`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${cache}`,
    // Root's apt downloads as the user _apt, which may not be able to enter this directory.
    `APT::Sandbox::User=${userInfo().username}`,
    'Acquire::Languages=none',
    'Acquire::Retries=2',
  ].flatMap((setting) => ['-o', setting])

  // Fails when any one of the machine's sources does; what counts is whether the package can be had.
  const updated = await run('apt-get', ['update', '-q', ...settings]).catch((/** @type {Error} */ error) => error)
  await run('apt-get', ['download', '-q', 'nats-server', ...settings], { cwd: directory }).catch((error) => {
    throw updated instanceof Error ? updated : error
  })
  const archive = (await readdir(directory)).find((name) => name.endsWith('.deb'))
  if (!archive) throw new Error('apt-get downloaded no package')
  const unpacked = join(directory, 'unpacked')
  await run('dpkg-deb', ['-x', join(directory, archive), unpacked])
  return join(unpacked, 'usr/sbin/nats-server')
}
