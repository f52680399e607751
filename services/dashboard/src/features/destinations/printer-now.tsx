import type { DestinationPrinter } from '../../api/gen/schema.ts'
import { State } from '../../ui/state.tsx'
import { describePrinter } from './words.ts'

/** Whether a printer of a destination takes jobs now: symbol, words and colour. */
export function PrinterNow({ printer }: { printer: DestinationPrinter }) {
  const isAvailable = printer.reason === null
  return (
    <State
      symbol={isAvailable ? (printer.jobId === null ? '●' : '◐') : '✕'}
      color={isAvailable ? 'text-ok' : 'text-error'}
    >
      {describePrinter(printer)}
    </State>
  )
}
