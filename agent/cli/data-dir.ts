/** The default of `--data-dir`. */
import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'

export interface Environment {
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  home: string
  isRoot: boolean
}

/** The directory of a systemd service (`STATE_DIRECTORY`), a system directory for root, otherwise a directory of the user. */
export function defaultDataDir(
  { platform, env, home, isRoot }: Environment = {
    platform: process.platform,
    env: process.env,
    home: homedir(),
    isRoot: process.getuid?.() === 0,
  },
): string {
  if (platform === 'win32') return win32.join(env.ProgramData || 'C:\\ProgramData', 'Platen')
  if (platform === 'darwin') return posix.join(isRoot ? '/' : home, 'Library/Application Support/Platen')
  const [stateDirectory] = (env.STATE_DIRECTORY ?? '').split(':')
  if (stateDirectory) return stateDirectory
  if (isRoot) return '/var/lib/platen-agent'
  const state = env.XDG_STATE_HOME
  return posix.join(state?.startsWith('/') ? state : posix.join(home, '.local/state'), 'platen-agent')
}
