import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { CreatedPrintAccessKey, Destination } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { printAccessQuery, REFRESH_MS } from '../../api/queries.ts'
import type { Printer } from '../../api/resources.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog, DialogButtons } from '../../ui/dialog.tsx'
import { download } from '../../ui/download.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { createAirPrintProfile } from './airprint-profile.ts'
import { PermitOrganization, SharePrinters, usePermission } from './permissions.tsx'
import { detectSystem, listSteps, SYSTEMS, type System } from './systems.ts'

/** What is added: a printer, or a destination with its printers. */
export type Added = { printer: Printer } | { destination: Destination; printers: Printer[] }

interface AddToComputerProps {
  added: Added
  onClose(): void
}

const getPrinters = (added: Added): Printer[] => ('printer' in added ? [added.printer] : added.printers)

const getName = (added: Added): string => ('printer' in added ? added.printer.displayName : added.destination.name)

/** Makes a print access for what is added, and shows the lines and files that add it to a computer or phone. */
export function AddToComputerDialog({ added, onClose }: AddToComputerProps) {
  const live = useLive()
  const { mode, send } = live
  const queryClient = useQueryClient()
  const isAllowed = usePermission()
  const [system, setSystem] = useState<System>(detectSystem(navigator.userAgent))
  const [name, setName] = useState('')
  const printers = getPrinters(added)
  const create = useMutation({
    mutationFn: () =>
      send((api) =>
        api.POST('/v1/print-access', { body: { name: name || system, printerIds: printers.map(({ id }) => id) } }),
      ),
    // The secret leaves the memory with the dialog.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: printAccessQuery(live).queryKey }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  const unshared = printers.filter(({ shared }) => !shared)
  const isReady = isAllowed === true && unshared.length === 0
  return (
    <Dialog title={`Add ${getName(added)} to a computer`} onClose={onClose} isWide>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <SelectField label="System" value={system} onChange={({ target }) => setSystem(target.value as System)}>
          {SYSTEMS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
        {isAllowed === false && <PermitOrganization />}
        {unshared.length > 0 && <SharePrinters printers={unshared} />}
        {create.data ? (
          <Steps system={system} added={added} access={create.data} />
        ) : (
          <Field
            label="Name of the computer"
            hint={`Jobs show it, and it is revoked by it. Print access is for this ${mode} ${'printer' in added ? 'printer' : 'destination and its printers'} alone.`}
            placeholder="Anna's laptop"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
        {create.isError && <ErrorPanel title="No print access was created." error={create.error} />}
        <DialogButtons>
          <Button onClick={onClose}>{create.data ? 'Close' : 'Cancel'}</Button>
          {!create.data && (
            <Button variant="primary" type="submit" disabled={create.isPending || !isReady}>
              Make the address
            </Button>
          )}
        </DialogButtons>
      </form>
    </Dialog>
  )
}

interface StepsProps {
  system: System
  added: Added
  access: CreatedPrintAccessKey
}

function Steps({ system, added, access }: StepsProps) {
  const name = getName(added)
  const isDestination = 'destination' in added
  const number = (isDestination ? added.destination.number : added.printer.number) ?? 0
  const address = { origin: location.origin, number, isDestination, secret: access.secret }
  const hasProfile = system === 'iPhone and iPad' || system === 'macOS'
  return (
    <>
      <p className="text-sm">
        The address contains a secret, which is shown only now. Whoever has it prints on{' '}
        {isDestination ? 'its printers' : 'this printer'}.
      </p>
      {hasProfile && (
        <div className="flex flex-col gap-1 text-sm">
          <div>
            <Button
              variant="primary"
              onClick={() =>
                download(
                  `${name}.mobileconfig`,
                  'application/x-apple-aspen-config',
                  createAirPrintProfile(address, name),
                )
              }
            >
              Download the profile
            </Button>
          </div>
          <p className="text-muted">Open it on the device, and install it in Settings under “Profile Downloaded”.</p>
        </div>
      )}
      {listSteps(system, address, name).map(({ label, value }) => (
        <CodeBlock key={label} label={label} code={value} />
      ))}
      <Ticks
        of={isDestination ? { destinationId: added.destination.id } : { printerId: added.printer.id }}
        access={access}
      />
    </>
  )
}

type JobFilter = { printerId: string } | { destinationId: string }

/** What has arrived from the computer. */
function Ticks({ of, access }: { of: JobFilter; access: CreatedPrintAccessKey }) {
  const live = useLive()
  const { key, send } = live
  const { data } = useQuery(printAccessQuery(live))
  const isUsed = data?.data.some(({ id, lastUsedAt }) => id === access.id && lastUsedAt !== null) ?? false
  const jobs = useQuery({
    queryKey: [...key, 'jobs-of-access', access.id],
    queryFn: ({ signal }) =>
      send(
        (api) =>
          api.GET('/v1/printjobs', {
            params: { query: { ...of, source: 'ipp', createdAfter: access.createdAt, limit: 1 } },
          }),
        signal,
      ),
    refetchInterval: REFRESH_MS,
  })
  const hasPrinted = (jobs.data?.data.length ?? 0) > 0
  return (
    <ul role="status" className="flex flex-col gap-1 text-sm">
      <Tick
        isDone={isUsed || hasPrinted}
        done="The computer has asked for the printer."
        pending="Waits for the computer to ask for the printer …"
      />
      <Tick
        isDone={hasPrinted}
        done="The first job has arrived."
        pending="Then print a page: the first job is shown here."
      />
    </ul>
  )
}

const Tick = ({ isDone, done, pending }: { isDone: boolean; done: string; pending: string }) => (
  <li className={isDone ? 'text-ok' : 'text-muted'}>
    <span aria-hidden>{isDone ? '✓' : '○'}</span> {isDone ? done : pending}
  </li>
)
