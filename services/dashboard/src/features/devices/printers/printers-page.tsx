import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Devices } from '../../../api/gen/schema.ts'
import { useLive, usePrinters } from '../../../api/live.tsx'
import type { Printer } from '../../../api/resources.ts'
import { useDevices } from '../../../api/use-devices.ts'
import { PageHeader } from '../../../shell/page-header.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { RowDetails } from '../../../ui/row-details.tsx'
import { Table } from '../../../ui/table.tsx'
import { Age } from '../../../ui/time.tsx'
import { EnabledSwitch } from '../enabled-switch.tsx'
import { PrinterState } from '../printer-options.tsx'
import { describeReasons } from '../reasons.ts'

const ROWS = 200

/** Offline, disabled, or with a state reason. */
const needsAttention = ({ state, enabled, stateReasons }: Printer) =>
  state !== 'online' || !enabled || stateReasons.length > 0

/** What needs attention first, then by name. */
const compare = (a: Printer, b: Printer) =>
  Number(needsAttention(b)) - Number(needsAttention(a)) || a.displayName.localeCompare(b.displayName)

export function PrintersPage() {
  const { name = '' } = useSearch({ from: '/$mode/printers' })
  const navigate = useNavigate({ from: '/$mode/printers' })
  const { mode } = useLive()
  const { printers, ...query } = usePrinters()
  const { data: devices } = useDevices()
  const [rows, setRows] = useState(ROWS)
  const found = printers
    .filter(
      ({ displayName, number }) => `#${number}` === name || displayName.toLowerCase().includes(name.toLowerCase()),
    )
    .toSorted(compare)
  return (
    <>
      <PageHeader title="Printers" />
      <div className="flex items-center gap-3 border-b bg-surface px-4 py-2">
        <input
          type="search"
          className="input max-w-64"
          aria-label="Name or number of the printer"
          placeholder="Name or #number"
          value={name}
          onChange={({ target }) =>
            navigate({ search: (all) => ({ ...all, name: target.value || undefined }), replace: true })
          }
        />
        {query.isSuccess && <span className="text-xs text-muted">{countOnline(printers)}</span>}
      </div>
      <Loaded query={query} failure="The printers could not be loaded.">
        {() =>
          found.length > 0 ? (
            <div className="section-table bg-surface">
              <Table
                label="Printers"
                columns={[
                  { label: 'State', className: 'w-28 sm:w-40' },
                  { label: 'Name' },
                  { label: 'Computer', className: 'hidden w-[20%] sm:table-cell' },
                  { label: 'Enabled', className: 'w-24' },
                  { label: 'Reason', className: 'hidden w-[26%] md:table-cell' },
                  { label: 'Waiting', className: 'hidden w-20 sm:table-cell' },
                  { label: 'Last print', className: 'hidden w-24 lg:table-cell' },
                ]}
              >
                {found.slice(0, rows).map((printer) => (
                  <PrinterRow
                    key={printer.id}
                    printer={printer}
                    computerName={devices?.computers.find(({ id }) => id === printer.computerId)?.name}
                    shown={devices?.printers?.find(({ id }) => id === printer.id)}
                  />
                ))}
              </Table>
              {found.length > rows && (
                <div className="flex justify-center p-3">
                  <Button onClick={() => setRows(rows + ROWS)}>Show more</Button>
                </div>
              )}
            </div>
          ) : name !== '' ? (
            <Empty title={`No printer has “${name}” in its name`} />
          ) : (
            <Empty title={`No printers in ${mode} mode`}>
              <p className="mb-3">The agent of a computer reports its printers, and they appear here.</p>
              {mode === 'live' && (
                <Link to="/$mode/computers/new" params={{ mode }} className="button button-primary">
                  Add a computer
                </Link>
              )}
            </Empty>
          )
        }
      </Loaded>
    </>
  )
}

interface PrinterRowProps {
  printer: Printer
  /** Undefined until it is loaded, as `shown`. */
  computerName: string | undefined
  shown: NonNullable<Devices['printers']>[number] | undefined
}

function PrinterRow({ printer, computerName, shown }: PrinterRowProps) {
  const { mode } = useLive()
  const reasons = describeReasons(printer)
  return (
    <tr data-printer={printer.id}>
      <td className="whitespace-normal!">
        <PrinterState printer={printer} />
      </td>
      <td>
        <Link
          to="/$mode/printers/$printerId"
          params={{ mode, printerId: printer.id }}
          className="font-medium hover:underline"
          title={printer.displayName}
        >
          {printer.displayName}
        </Link>
        <RowDetails parts={[computerName, reasons, shown && shown.waiting > 0 && `${shown.waiting} waiting`]} />
      </td>
      <td className="hidden sm:table-cell">
        {computerName === undefined ? (
          '…'
        ) : (
          <Link
            to="/$mode/computers/$computerId"
            params={{ mode, computerId: printer.computerId }}
            className="text-muted hover:underline"
          >
            {computerName}
          </Link>
        )}
      </td>
      <td>
        <EnabledSwitch printer={printer} />
      </td>
      <td className="hidden text-warn md:table-cell" title={reasons}>
        {reasons}
      </td>
      <td className="hidden sm:table-cell">{shown && (shown.waiting || '–')}</td>
      <td className="hidden text-muted lg:table-cell">
        {shown && (shown.lastPrintAt ? <Age time={shown.lastPrintAt} isPast /> : '–')}
      </td>
    </tr>
  )
}

function countOnline(printers: readonly Printer[]): string {
  const online = printers.filter(({ state }) => state === 'online').length
  return `${online} of ${printers.length} online`
}
