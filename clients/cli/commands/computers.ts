import type { Computer } from '@platen/sdk'
import type { Command } from 'commander'
import { connect } from '../config.ts'
import { formatTime, type OutputOptions, printFields, printRows } from '../output.ts'
import { readFirst } from '../read-first.ts'

export function addComputers(program: Command): void {
  program
    .command('computers')
    .description('all computers, or one')
    .argument('[computer]', 'its number or its id')
    .action(async (id: string | undefined, _, command: Command) => {
      const settings = command.optsWithGlobals<OutputOptions & { profile?: string }>()
      const { computers } = connect(settings.profile)
      if (id !== undefined) return printFields(await computers.get(id), settings)
      const columns = [
        { title: 'id', get: (computer: Computer) => computer.id },
        { title: 'state', get: ({ state }: Computer) => state },
        { title: 'name', get: ({ name }: Computer) => name },
        { title: 'last seen', get: ({ lastSeenAt }: Computer) => formatTime(lastSeenAt, settings) },
        { title: 'agent', get: ({ agentVersion }: Computer) => agentVersion },
      ]
      printRows(await readFirst(computers.list({ limit: 100 }), Number.POSITIVE_INFINITY), columns, settings)
    })
}
