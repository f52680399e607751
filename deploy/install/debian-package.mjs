/**
 * Fetches the `nats-server` package of Debian or Ubuntu with the signature checks of apt, but without root. apt writes
 * to a private directory, because the lists of the system may be missing or old and only root can update them.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { run } from './run.mjs'

export const debianPackage = {
  step: 'Fetching the nats-server package of the distribution',
  isOffered: () => ['/usr/bin/apt-get', '/usr/bin/dpkg-deb'].every((program) => existsSync(program)),
  fetchInto,
}

/**
 * @param {string} directory empty
 * @returns {Promise<string>} the path of the program
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
    // As root, apt downloads as the user _apt, which may have no access to this directory.
    `APT::Sandbox::User=${userInfo().username}`,
    'Acquire::Languages=none',
    'Acquire::Retries=2',
  ].flatMap((setting) => ['-o', setting])

  // An update fails if any source of the system fails. Only the download matters.
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
