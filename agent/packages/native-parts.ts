/** What cannot lie in a bundle: native code and WebAssembly, which the Windows driver loads from `node_modules` beside the program. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { run } from './run.ts'

const NAMES = ['koffi', '@embedpdf/pdfium'] as const

/** npm's own shape of packages for one platform, on whichever this runs. Their licences lie in them. */
export async function installNativeParts(platform: NodeJS.Platform, architecture: string, dir: string): Promise<void> {
  const modules = join(dir, 'node_modules')
  await rm(modules, { recursive: true, force: true })
  const packages = NAMES.map((name) => `${name}@${manifest.dependencies[name]}`)
  const target = [`--os=${platform}`, `--cpu=${architecture}`]
  const options = ['--prefix', dir, '--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund']
  await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['install', ...options, ...target, ...packages])
  await rm(join(modules, '.package-lock.json'), { force: true })
}
