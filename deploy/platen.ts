#!/usr/bin/env node
/** `platen <role>` runs a service and `platen <command>` a command of operators. The program of the container image. */

const COMMANDS: Record<string, string> = {
  admin: './admin/main.ts',
  'create-roles': './create-roles/main.ts',
  inspect: './inspect/main.ts',
  migrate: '../services/migrate.ts',
  rotate: './rotate/main.ts',
  selftest: './selftest/main.ts',
}

const module = COMMANDS[process.argv[2] ?? '']
// Commands read their arguments from the third place, like programs of their own.
if (module) process.argv.splice(2, 1)
await import(module ?? '../services/main.ts')
