import { DestinationPrinterSchema, DestinationSchema } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import type { DestinationNow } from './read-destinations.ts'

export const destinationToProto = (destination: DestinationNow) =>
  rowToMessage(DestinationSchema, destination, {
    printers: destination.printers.map((printer) => rowToMessage(DestinationPrinterSchema, printer)),
  })
