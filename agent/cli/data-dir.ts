/** The default of `--data-dir`. */
import { posix, win32 } from 'node:path'
import { findHome } from '../home.ts'
import { UsageError } from './options.ts'

export interface Environment {
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  home: string | undefined
  isRoot: boolean
}

/**
 * The directory of a systemd service (`STATE_DIRECTORY`), a system directory for root, otherwise a directory of the
 * user.
 *
 * @throws UsageError if the user has no home directory.
 */
export function defaultDataDir(
  { platform, env, home, isRoot }: Environment = {
    platform: process.platform,
    env: process.env,
    home: findHome(),
    isRoot: process.getuid?.() === 0,
  },
): string {
  if (platform === 'win32') return win32.join(env.ProgramData || 'C:\\ProgramData', 'Platen')
  if (platform === 'darwin') return posix.join(isRoot ? '/' : requireHome(home), 'Library/Application Support/Platen')
  const [stateDirectory] = (env.STATE_DIRECTORY ?? '').split(':')
  if (stateDirectory) return stateDirectory
  if (isRoot) return '/var/lib/platen-agent'
  const state = env.XDG_STATE_HOME
  return posix.join(state?.startsWith('/') ? state : posix.join(requireHome(home), '.local/state'), 'platen-agent')
}

function requireHome(home: string | undefined): string {
  if (home === undefined)
    throw new UsageError('This user has no home directory for the data of the agent. Set --data-dir to a directory.')
  return home
}
