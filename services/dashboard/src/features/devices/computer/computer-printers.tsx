import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLive, usePrinters } from '../../../api/live.tsx'
import { networkPrintersQuery } from '../../../api/queries.ts'
import type { Computer, Printer } from '../../../api/resources.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { DeviceState } from '../../../ui/device-state.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import { Table } from '../../../ui/table.tsx'
import { AddPrinterButton } from '../add-printer-button.tsx'
import { describeReasons } from '../reasons.ts'
import { SpoolerProblem } from '../spooler-problem.tsx'

/** The printers of a computer, of which those that were added from the dashboard can be removed. */
export function ComputerPrinters({ computer }: { computer: Computer }) {
  const { id, state, spoolerProblem } = computer
  const live = useLive()
  const { mode } = live
  const { printers, ...query } = usePrinters()
  const [removing, setRemoving] = useState<Printer>()
  const added = useQuery(networkPrintersQuery(live, id, state === 'online' && mode === 'live'))
  const own = printers.filter(({ computerId }) => computerId === id)
  const isAdded = ({ osName }: Printer) => added.data?.data?.some((one) => one.osName === osName) ?? false
  return (
    <Section title="Printers" isFlush actions={mode === 'live' && <AddPrinterButton computer={computer} />}>
      {added.data?.refusal && own.some(isAdded) && (
        <p className="border-b bg-warn-soft p-4 text-sm">
          Printers that were added here go on printing. {added.data.refusal}
        </p>
      )}
      <SpoolerProblem computer={computer} className="border-b" />
      <Loaded query={query} failure="The printers could not be loaded.">
        {() =>
          own.length === 0 ? (
            (spoolerProblem === null || state === 'offline') && (
              <p className="p-4 text-sm text-muted">The agent has reported no printer.</p>
            )
          ) : (
            <Table
              label="Printers"
              columns={[
                { label: 'State', className: 'w-28' },
                { label: 'Name' },
                { label: 'Reason', className: 'hidden w-[40%] sm:table-cell' },
                ...(own.some(isAdded) ? [{ label: 'Action', className: 'w-26', isHidden: true }] : []),
              ]}
            >
              {own.map((printer) => (
                <tr key={printer.id} data-printer={printer.id}>
                  <td>
                    <DeviceState state={printer.state} />
                  </td>
                  <td>
                    <Link
                      to="/$mode/printers/$printerId"
                      params={{ mode, printerId: printer.id }}
                      className="font-medium hover:underline"
                    >
                      {printer.displayName}
                    </Link>
                    {!printer.enabled && <span className="text-muted"> (disabled)</span>}
                  </td>
                  <td className="hidden text-warn sm:table-cell">{describeReasons(printer)}</td>
                  {own.some(isAdded) && (
                    <td>
                      {isAdded(printer) && (
                        <Button
                          className="min-h-6.5"
                          aria-label={`Remove ${printer.displayName}`}
                          onClick={() => setRemoving(printer)}
                        >
                          Remove
                        </Button>
                      )}
                    </td>
                  )}
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      {removing && <RemoveDialog id={id} printer={removing} onClose={() => setRemoving(undefined)} />}
    </Section>
  )
}

function RemoveDialog({ id, printer, onClose }: { id: string; printer: Printer; onClose(): void }) {
  const live = useLive()
  const queryClient = useQueryClient()
  const { osName, displayName } = printer
  const remove = useMutation({
    mutationFn: () =>
      live.send((api) =>
        api.POST('/account/computers/{id}/network-printers/remove', { params: { path: { id } }, body: { osName } }),
      ),
    onSuccess() {
      announce(`Removed the printer ${displayName}`)
      void queryClient.invalidateQueries({ queryKey: networkPrintersQuery(live, id).queryKey })
      onClose()
    },
  })
  return (
    <Confirm title={`Remove the printer ${displayName}?`} action="Remove printer" mutation={remove} onClose={onClose}>
      <p>Its jobs that were not sent to it end without being printed. It can be added again.</p>
    </Confirm>
  )
}
