import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { PRINTERS_MAX, PRINTERS_MAX_BYTES } from './agent-bounds.ts'
import { ReportedPrinterSchema } from './gen/platen/agent/v1/agent_pb.ts'

/** @returns the first printers that fit into one report. */
export function fitPrinters<Printer extends MessageInitShape<typeof ReportedPrinterSchema>>(
  printers: Printer[],
): Printer[] {
  let bytes = 0
  const end = printers.findIndex((printer, n) => {
    bytes += toBinary(ReportedPrinterSchema, create(ReportedPrinterSchema, printer)).length
    return n >= PRINTERS_MAX || bytes > PRINTERS_MAX_BYTES
  })
  return end < 0 ? printers : printers.slice(0, end)
}
