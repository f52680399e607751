/** The command line of `platen-server`: its roles and its commands, each loaded when it runs. */
import { release } from '@platen/runtime/release.ts'
import { Command, CommanderError } from 'commander'
import { ROLES } from '../../services/roles.ts'
import { addAdmin } from './admin/add-admin.ts'
import { addCreateSecrets } from './create-secrets/add-create-secrets.ts'
import { addInspect } from './inspect/add-inspect.ts'
import { runCommand } from './run-command.ts'
import { withServices } from './with-services.ts'

const USAGE_EXIT_CODE = 64

export function createProgram(): Command {
  const program = new Command('platen-server')
    .usage('<role> or platen-server <command> [options]')
    .description('Runs a service of Platen, or a command of operators.')
    .version(release)
    .showSuggestionAfterError()
    .exitOverride()

  program.commandsGroup('Roles, which run services:')
  for (const role of ROLES)
    program
      .command(role)
      .description(role === 'all' ? 'all services in one process' : `the service ${role}`)
      .action(async () => void (await import('../../services/main.ts')))

  program.commandsGroup('Commands:')
  addAdmin(
    program.command('admin').description('manage organizations, API keys, plans and users'),
    async (run) => await runCommand(async () => JSON.stringify(await withServices(process.env, run))),
  )
  program
    .command('create-roles')
    .description('create the roles and schemas of the services in PostgreSQL')
    .action(async () => await runCommand((await import('./create-roles/create-roles.ts')).createRoles))
  addCreateSecrets(program)
  program
    .command('doctor')
    .description('check all replicas')
    .option('--public', 'call the public addresses as well')
    .action(async (options: { public?: true }) => {
      const { diagnose } = await import('./doctor/doctor.ts')
      await runCommand(() => diagnose({ isPublic: options.public === true }))
    })
  addInspect(program)
  program
    .command('migrate')
    .description('migrate the schemas of all services')
    .option('--check', 'only report; exit code 3 if a migration is pending')
    .action(async (options: { check?: true }) => {
      const { migrateAll } = await import('../../services/migrate.ts')
      await migrateAll({ onlyChecks: options.check === true })
    })
  program
    .command('rotate')
    .description('encrypt stored secrets with the first key of a list')
    .command('webhook-key')
    .description('the secrets of webhook endpoints, with the first key of PLATEN_WEBHOOK_KEY')
    .action(async () => {
      const { rotateWebhookKey } = await import('./rotate/webhook-key.ts')
      await runCommand(async () => JSON.stringify(await withServices(process.env, rotateWebhookKey)))
    })
  program
    .command('selftest')
    .description('run doctor, then print a page through the API')
    .action(async () => await runCommand((await import('./selftest/selftest.ts')).testItself))
  return program
}

/** Sets the exit code of the process. */
export async function runProgram(args: string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: 'user' })
  } catch (error) {
    // Its message is printed already.
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) process.exitCode = USAGE_EXIT_CODE
  }
}
