/** `npm run check`: every check, also after one has failed. */
import { spawnSync } from 'node:child_process'
import { CHECKS } from './checks.ts'

for (const [name, command, ...args] of CHECKS) {
  console.log(`check ${name}`)
  if (spawnSync(command, args, { stdio: 'inherit' }).status !== 0) process.exitCode = 1
}
