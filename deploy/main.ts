/** The second half of `npm start`: runs an installation in the foreground until Ctrl-C or SIGTERM. */
import { enableCompileCache } from 'node:module'
import { compileCache } from './install/paths.mjs'

enableCompileCache(compileCache)
const [{ launch }, { StartupError }, { ConfigError }] = await Promise.all([
  import('./launch.ts'),
  import('./startup-error.ts'),
  import('@platen/runtime/config.ts'),
])

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (stopping.signal.aborted) return
    console.log('Stopping …')
    stopping.abort()
  })

try {
  await launch(process.env, stopping.signal)
  process.exit(0)
} catch (error) {
  if (stopping.signal.aborted) process.exit(0)
  console.error(error instanceof StartupError || error instanceof ConfigError ? error.message : error)
  process.exit(1)
}
