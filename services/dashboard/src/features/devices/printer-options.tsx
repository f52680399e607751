import { useComputers } from '../../api/live.tsx'
import type { Computer, Printer } from '../../api/resources.ts'
import { DeviceState } from '../../ui/device-state.tsx'
import { State } from '../../ui/state.tsx'
import { nameComputer } from './name-computer.ts'

type Computers = readonly Pick<Computer, 'id' | 'number' | 'name' | 'state'>[]

/** In words: "online", "computer offline", "disabled". */
const describeState = ({ enabled, state }: Printer): string =>
  enabled ? (state === 'unknown' ? 'computer offline' : state) : 'disabled'

/** The state of a printer is unknown while its computer is offline. */
export function PrinterState({ printer }: { printer: Printer }) {
  if (printer.state === 'unknown')
    return (
      <State symbol="○" color="text-muted">
        computer offline
      </State>
    )
  return <DeviceState state={printer.state} />
}

/** Computers with their printers, those that are online first. Names of printers repeat, names of computers hardly. */
function groupByComputer(printers: readonly Printer[], computers: Computers) {
  const groups = Map.groupBy(printers, ({ computerId }) => computerId)
  return [...groups]
    .map(([id, own]) => ({
      id,
      computer: computers.find((one) => one.id === id),
      printers: own.toSorted((a, b) => rank(a) - rank(b) || a.displayName.localeCompare(b.displayName)),
    }))
    .toSorted(
      (a, b) =>
        Number(b.computer?.state === 'online') - Number(a.computer?.state === 'online') ||
        (a.computer?.name ?? '').localeCompare(b.computer?.name ?? ''),
    )
}

const rank = ({ state, enabled }: Printer) => Number(state !== 'online') + Number(!enabled)

/** The printers of a choice, by computer. */
export function PrinterOptions({ printers }: { printers: readonly Printer[] }) {
  const { computers } = useComputers()
  return groupByComputer(printers, computers).map(({ id, computer, printers }) => (
    <optgroup key={id} label={computer ? `${nameComputer(computer, computers)} (${computer.state})` : 'Other computer'}>
      {printers.map((printer) => (
        <option key={printer.id} value={printer.id}>
          {printer.displayName} ({describeState(printer)})
        </option>
      ))}
    </optgroup>
  ))
}
