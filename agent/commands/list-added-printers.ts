import type { CommandContext } from './commands.ts'

export const listAddedPrinters = ({ networkPrinters }: CommandContext) => ({
  printers: networkPrinters.added().map(({ name, uri }) => ({ osName: name, uri })),
})
