#!/usr/bin/env node
/** `platen-server <role>` runs a service and `platen-server <command>` a command of operators. The program of the container image. */
import { ROLES } from '../../services/roles.ts'
import { COMMANDS } from './commands.ts'

const USAGE_EXIT_CODE = 64

const name = process.argv[2] ?? ''
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
if (command) {
  // Commands read their arguments from the third place, like programs of their own.
  process.argv.splice(2, 1)
  await command.start()
} else if (ROLES.includes(name)) await import('../../services/main.ts')
else {
  const commands = Object.entries(COMMANDS).map(([name, { description }]) => `  ${name.padEnd(14)}${description}`)
  const usage = [
    'Usage: platen-server <role> or platen-server <command>',
    '',
    'Roles, which run services:',
    `  ${ROLES.join(', ')}`,
  ]
  console.error([...usage, '', 'Commands:', ...commands].join('\n'))
  process.exitCode = USAGE_EXIT_CODE
}
