import type { FollowOptions } from '@platen/sdk'
import type { Command } from 'commander'
import { connect } from '../config.ts'
import type { OutputOptions } from '../output.ts'
import { collect } from '../parse.ts'
import { followAndPrint } from '../print-event.ts'

interface Settings extends OutputOptions {
  profile?: string
  type?: FollowOptions['type']
  resource?: string
  after?: string
  all?: boolean
}

export function addEvents(program: Command): void {
  program
    .command('events')
    .description('follow the event feed')
    .command('tail')
    .description('new events, until Ctrl-C')
    .option('-t, --type <type>', 'only events of this type, for example printjob.*; can be repeated', collect)
    .option('--resource <id>', 'only of this job, printer or computer')
    .option('--after <cursor>', 'begin at this cursor')
    .option('--all', 'begin with the oldest event')
    .action(async (_, command: Command) => {
      const { type, resource, after, all, ...settings } = command.optsWithGlobals<Settings>()
      const start = all ? null : after
      await followAndPrint(connect(settings.profile), { type, resourceId: resource, after: start }, settings)
    })
}
