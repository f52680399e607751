import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { Destination, DestinationChanges } from '../../api/gen/schema.ts'
import { useLive, usePrinters } from '../../api/live.tsx'
import { destinationQuery, destinationsQuery } from '../../api/queries.ts'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureDialog } from '../../ui/failure-dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { DestinationForm } from './destination-form.tsx'

const AddToComputerDialog = lazy(async () => ({
  default: (await import('../print-access/add-to-computer-dialog.tsx')).AddToComputerDialog,
}))

interface ActionProps {
  destination: Destination
  onClose(): void
}

export function DestinationActions({ destination }: { destination: Destination }) {
  const { mode, isPermitted, session } = useLive()
  const [opened, setOpened] = useState<'edit' | 'delete' | 'add'>()
  const change = useChange(destination)
  const close = () => setOpened(undefined)
  const { id, enabled, printers } = destination
  return (
    <>
      <Link
        to="/$mode/print"
        params={{ mode }}
        search={{ destination: id }}
        className="button"
        disabled={!enabled || !isPermitted('createPrintJob')}
      >
        Print a document
      </Link>
      {session.offers.ipp && (
        <Button
          onClick={() => setOpened('add')}
          disabled={printers.every(({ reason }) => reason === 'printer-removed')}
        >
          Add to a computer
        </Button>
      )}
      {isPermitted('updateDestination') && (
        <Menu
          label="Actions"
          items={[
            { label: 'Edit', onClick: () => setOpened('edit') },
            { label: enabled ? 'Disable' : 'Enable', onClick: () => change.mutate({ enabled: !enabled }) },
            { label: 'Delete', isDangerous: true, onClick: () => setOpened('delete') },
          ]}
        />
      )}
      <FailureDialog title="The destination was not changed" mutation={change} />
      {opened === 'edit' && <EditDialog destination={destination} onClose={close} />}
      {opened === 'add' && <AddDialog destination={destination} onClose={close} />}
      {opened === 'delete' && <DeleteDialog destination={destination} onClose={close} />}
    </>
  )
}

function useChange({ id, name }: Destination) {
  const live = useLive()
  const { send } = live
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: DestinationChanges) =>
      send((api) => api.PATCH('/v1/destinations/{id}', { params: { path: { id } }, body })),
    onSuccess(changed) {
      queryClient.setQueryData(destinationQuery(live, id).queryKey, changed)
      void queryClient.invalidateQueries({ queryKey: destinationsQuery(live).queryKey })
      announce(`Changed the destination ${name}`)
    },
  })
}

/** Waits for the printers, of which the dialog says whether they are shared. */
function AddDialog({ destination, onClose }: ActionProps) {
  const { isSuccess, printers: all } = usePrinters()
  const printers = destination.printers.flatMap(({ printerId }) => all.find(({ id }) => id === printerId) ?? [])
  return (
    <Suspense>
      {isSuccess && printers.length > 0 && <AddToComputerDialog added={{ destination, printers }} onClose={onClose} />}
    </Suspense>
  )
}

function EditDialog({ destination, onClose }: ActionProps) {
  const { isPending, error, mutate } = useChange(destination)
  const { name, printers, policy, standbyAfter, expireAfter } = destination
  return (
    <Dialog title={`Edit ${name}`} onClose={onClose} isWide keepsInput>
      <DestinationForm
        initial={{ name, printers: printers.map(({ printerId }) => printerId), policy, standbyAfter, expireAfter }}
        removed={new Map(printers.map((printer) => [printer.printerId, printer.name]))}
        action="Save"
        failure="The destination was not changed."
        mutation={{ isPending, error, mutate: (fields) => mutate(fields, { onSuccess: onClose }) }}
        onClose={onClose}
      />
    </Dialog>
  )
}

function DeleteDialog({ destination: { id, name, waitingJobs }, onClose }: ActionProps) {
  const live = useLive()
  const { mode, send } = live
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const remove = useMutation({
    // The dialog says how many jobs end. Without waiting jobs, one that came meanwhile refuses the deletion.
    mutationFn: () =>
      send((api) =>
        api.DELETE('/v1/destinations/{id}', {
          params: { path: { id }, query: waitingJobs > 0 ? { waitingJobs: 'end' } : {} },
        }),
      ),
    async onSuccess() {
      announce(`Deleted the destination ${name}`)
      await navigate({ to: '/$mode/destinations', params: { mode } })
      void queryClient.invalidateQueries({ queryKey: destinationsQuery(live).queryKey })
    },
  })
  return (
    <Confirm title={`Delete ${name}?`} action="Delete destination" mutation={remove} onClose={onClose}>
      <p>
        Programs that print to it are refused.{' '}
        {waitingJobs > 0 &&
          `${waitingJobs === 1 ? 'The job that waits ends' : `The ${waitingJobs} jobs that wait end`} in error and ${waitingJobs === 1 ? 'is' : 'are'} not printed. `}
        Jobs that a printer has taken are printed.
      </p>
    </Confirm>
  )
}
