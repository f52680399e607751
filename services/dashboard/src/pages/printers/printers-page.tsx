import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useComputers, useLive, usePrinters, useResource } from '../../api/live.tsx'
import type { Printer } from '../../api/resources.ts'
import { findJobs, useJobs, WAITING } from '../../api/use-jobs.ts'
import { EnabledSwitch } from '../../devices/enabled-switch.tsx'
import { PrinterState } from '../../devices/printer-options.tsx'
import { describeReasons } from '../../devices/reasons.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RowDetails } from '../../ui/row-details.tsx'
import { Table } from '../../ui/table.tsx'

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
  const { mode, resources } = useLive()
  const { printers, ...query } = usePrinters()
  useComputers()
  const { data: waiting } = useJobs({ ...WAITING, isEnabled: query.isSuccess })
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
                ]}
              >
                {found.slice(0, rows).map((printer) => (
                  <PrinterRow
                    key={printer.id}
                    printer={printer}
                    waiting={waiting && countJobs(findJobs(resources, waiting.ids), printer.id, waiting.hasMore)}
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

function PrinterRow({ printer, waiting }: { printer: Printer; waiting: string | undefined }) {
  const { mode } = useLive()
  const computer = useResource('computer', printer.computerId)
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
        <RowDetails parts={[computer?.name, reasons, waiting && waiting !== '–' && `${waiting} waiting`]} />
      </td>
      <td className="hidden sm:table-cell">
        <Link
          to="/$mode/computers/$computerId"
          params={{ mode, computerId: printer.computerId }}
          className="text-muted hover:underline"
        >
          {computer?.name ?? '…'}
        </Link>
      </td>
      <td>
        <EnabledSwitch printer={printer} />
      </td>
      <td className="hidden text-warn md:table-cell" title={reasons}>
        {reasons}
      </td>
      <td className="hidden sm:table-cell">{waiting}</td>
    </tr>
  )
}

/** "12", or "12+" if not all waiting jobs were loaded. */
function countJobs(jobs: { printerId: string }[], id: string, hasMore: boolean): string {
  const count = jobs.filter(({ printerId }) => printerId === id).length
  if (hasMore) return `${count}+`
  return count === 0 ? '–' : String(count)
}

function countOnline(printers: readonly Printer[]): string {
  const online = printers.filter(({ state }) => state === 'online').length
  return `${online} of ${printers.length} online`
}
