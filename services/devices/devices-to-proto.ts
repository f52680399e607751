/** Entity to proto. `rpc/summarize-devices.ts` maps the few columns that it reads. */
import { ComputerSchema, PrinterSchema } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import type { Computer, Printer } from './entities.ts'
import { readCapabilities } from './stored-capabilities.ts'

export const computerToProto = (computer: Computer) => rowToMessage(ComputerSchema, computer)

/** The state is `unknown` while the computer is offline. */
export const toShownState = (computerState: Computer['state'], reported: Printer['reportedState']) =>
  computerState === 'online' ? reported : 'unknown'

/** @param printer with its computer loaded. */
export const printerToProto = (printer: Printer) =>
  rowToMessage(PrinterSchema, printer, {
    computerId: printer.computer.id,
    state: toShownState(printer.computer.state, printer.reportedState),
    capabilities: readCapabilities(printer),
  })
