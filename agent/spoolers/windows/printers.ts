/** The printers as the agent reports them. What drivers say is remembered for a while: asking one takes up to a second. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { type DriverOffer, readOffer } from './device-capabilities.ts'
import { isInteractive, toPrinterState } from './printer-status.ts'
import type { PrinterInfo, Winspool } from './winspool.ts'

/** People change trays and drivers; nobody waits for it. */
const CACHE_MS = 60_000

export function createPrinters(winspool: Winspool, now = () => performance.now()) {
  const offers = new Map<string, { driver: string; atMs: number; offer: DriverOffer }>()

  async function getOffer(printer: PrinterInfo): Promise<DriverOffer> {
    const driver = `${printer.driver}\n${printer.port}`
    const known = offers.get(printer.name)
    if (known && known.driver === driver && now() - known.atMs < CACHE_MS) return known.offer
    const offer = await readOffer(winspool, printer)
    offers.set(printer.name, { driver, atMs: now(), offer })
    return offer
  }

  const all = async () => (await winspool.enumPrinters()).filter((printer) => !isInteractive(printer))

  return {
    getOffer,

    /** Undefined when there is none of this name. */
    find: async (name: string): Promise<PrinterInfo | undefined> =>
      (await all()).find((printer) => printer.name === name),

    names: async () => (await all()).map(({ name }) => name),

    async report(): Promise<MessageInitShape<typeof ReportedPrinterSchema>[]> {
      const [printers, standard] = [await all(), await winspool.defaultPrinter()]
      for (const name of offers.keys()) if (!printers.some((printer) => printer.name === name)) offers.delete(name)
      const reports = []
      for (const printer of printers) {
        const { name, driver: description } = printer
        const { capabilities } = await getOffer(printer)
        const about = { osName: name, name, description, isDefault: name === standard }
        reports.push({ ...about, ...toPrinterState(printer), capabilities })
      }
      return reports
    },
  }
}
