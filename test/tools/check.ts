/** `npm run check`: runs all checks, also after a failure. */
import { spawnSync } from 'node:child_process'
import { CHECKS } from './checks.ts'

for (const [name, command, ...args] of CHECKS) {
  console.log(`check ${name}`)
  if (spawnSync(command, args, { stdio: 'inherit' }).status !== 0) process.exitCode = 1
}
