import type { RemovePrinter } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import type { CommandContext } from './command-context.ts'
import { CommandRefused } from './command-refused.ts'

/** @throws CommandRefused for a printer that was not added from the dashboard. */
export async function removePrinter({ networkPrinters, printerReports }: CommandContext, { osName }: RemovePrinter) {
  if (!networkPrinters.remove(osName))
    throw new CommandRefused(
      'This printer was not added from the dashboard. Remove it on the computer, from the operating system or agent.json.',
    )
  await printerReports.reportChanges()
  return {}
}
