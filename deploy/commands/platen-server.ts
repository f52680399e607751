#!/usr/bin/env node
/**
 * `platen-server <role>` runs a service and `platen-server <command>` a command of operators. The program of the
 * container image.
 */
import { ROLES } from '../../services/roles.ts'

// A service does not need the parser of commands.
if (process.argv.length === 3 && ROLES.includes(process.argv[2] ?? '')) await import('../../services/main.ts')
else {
  const { runProgram } = await import('./program.ts')
  await runProgram(process.argv.slice(2))
}
