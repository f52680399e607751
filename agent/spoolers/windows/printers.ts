/** Lists the printers for the report. Capabilities of drivers are cached, because a query takes up to one second. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { type DriverOffer, readOffer } from './device-capabilities.ts'
import { isInteractive, toPrinterState } from './printer-status.ts'
import type { PrinterInfo, Winspool } from './winspool.ts'

/** Users change trays and drivers rarely. */
const CACHE_MS = 60_000

export function createPrinters(winspool: Winspool, now = () => performance.now()) {
  const offers = new Map<string, { driver: string; atMs: number; offer: DriverOffer }>()

  async function getOffer(printer: PrinterInfo): Promise<DriverOffer> {
    const driver = `${printer.driver}\n${printer.port}`
    const cached = offers.get(printer.name)
    if (cached && cached.driver === driver && now() - cached.atMs < CACHE_MS) return cached.offer
    const offer = await readOffer(winspool, printer)
    offers.set(printer.name, { driver, atMs: now(), offer })
    return offer
  }

  const listAll = async () => (await winspool.enumPrinters()).filter((printer) => !isInteractive(printer))

  return {
    getOffer,

    /** Undefined if no printer has this name. */
    find: async (name: string): Promise<PrinterInfo | undefined> =>
      (await listAll()).find((printer) => printer.name === name),

    names: async () => (await listAll()).map(({ name }) => name),

    async report(): Promise<MessageInitShape<typeof ReportedPrinterSchema>[]> {
      const [printers, defaultName] = [await listAll(), await winspool.defaultPrinter()]
      for (const name of offers.keys()) if (!printers.some((printer) => printer.name === name)) offers.delete(name)
      const reports = []
      for (const printer of printers) {
        const { name, driver: description } = printer
        const { capabilities } = await getOffer(printer)
        const identity = { osName: name, name, description, isDefault: name === defaultName }
        reports.push({ ...identity, ...toPrinterState(printer), capabilities })
      }
      return reports
    },
  }
}
