import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { runCommand } from '../run-command.ts'

export function addInspect(program: Command): void {
  program
    .command('inspect')
    .description('show one job in all services')
    .command('job')
    .argument('<id>', 'the id of the job', parseId)
    .action(async (id: string) => {
      const { inspectJob } = await import('./inspect-job.ts')
      await runCommand(() => inspectJob(id))
    })
}

function parseId(text: string): string {
  if (!z.guid().safeParse(text).success) throw new InvalidArgumentError('It is not the id of a job.')
  return text
}
