import { useQuery } from '@tanstack/react-query'
import type { FoundPrinter } from '../../../api/gen/schema.ts'
import { useLive, usePrinters } from '../../../api/live.tsx'
import { networkPrintersQuery } from '../../../api/queries.ts'
import { Section } from '../../../ui/section.tsx'
import { QueueStays } from '../printer/raw-queue.tsx'

/**
 * @returns the printer of a queue, as if it had been found; undefined while it is loaded, and for a queue without an
 *   address.
 */
export function useQueuePrinter(computerId: string, osName: string | undefined): FoundPrinter | undefined {
  const { data } = useQuery(networkPrintersQuery(useLive(), computerId, osName !== undefined))
  const { printers } = usePrinters()
  const uri = data?.queues.find((queue) => queue.osName === osName)?.uri
  const printer = printers.find((one) => one.computerId === computerId && one.osName === osName)
  if (!uri || !printer) return undefined
  const name = `${printer.displayName.slice(0, 110)} (direct)`
  const raster = printer.capabilities?.raster ?? null
  return {
    name,
    uri,
    model: '',
    supportsPdf: null,
    raster,
    hasPageLanguage: false,
    language: raster?.rawLanguage ?? null,
  }
}

/** The printer of a queue, which needs no search. */
export function ChosenQueue({ osName, printer }: { osName: string; printer: FoundPrinter | undefined }) {
  return (
    <Section title="1. The printer of a queue">
      <div className="flex flex-col gap-3 text-sm">
        {printer ? (
          <p>
            {osName} sends to <span className="font-mono text-xs">{printer.uri}</span>. Platen will print to this
            address itself.
          </p>
        ) : (
          <p>The computer has no queue {osName} with an address, or Platen prints to its address already.</p>
        )}
        <QueueStays />
      </div>
    </Section>
  )
}
