/**
 * The second half of `npm start`: runs an installation in the foreground until Ctrl-C or SIGTERM. Plain JavaScript,
 * because a process that removes types keeps 14 MB for it. Other files have the compile cache.
 */
import { enableCompileCache } from 'node:module'
import { compileCache } from '../install/paths.mjs'

enableCompileCache(compileCache)
const [{ launch }, { StartupError }] = await Promise.all([import('./launch.ts'), import('./startup-error.ts')])

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
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
  console.error(error instanceof StartupError ? error.message : error)
  process.exit(1)
}
