import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLive } from '../../api/live.tsx'
import type { Printer } from '../../api/resources.ts'
import { announce } from '../../ui/announce.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FailureDialog } from '../../ui/failure-dialog.tsx'

/** Disabled printers take no new jobs. */
export function EnabledSwitch({ printer }: { printer: Printer }) {
  const { isPermitted, mode, send, resources } = useLive()
  const { id, displayName, enabled } = printer
  const isAdmin = isPermitted('updatePrinter')
  const change = useMutation({
    mutationFn: () =>
      send((api) => api.PATCH('/v1/printers/{id}', { params: { path: { id } }, body: { enabled: !enabled } })),
    onSuccess(changed) {
      resources.put('printer', changed as Printer)
      announce(`The ${mode} printer ${displayName} is ${changed.enabled ? 'enabled' : 'disabled'}`)
    },
  })
  const [isAsking, setIsAsking] = useState(false)
  const close = () => {
    setIsAsking(false)
    change.reset()
  }
  return (
    <>
      <button
        type="button"
        role="switch"
        aria-checked={enabled}
        aria-label={`${displayName}: enabled`}
        aria-disabled={!isAdmin}
        title={isAdmin ? undefined : 'Only owners and admins can change printers.'}
        disabled={change.isPending}
        onClick={() => isAdmin && (enabled ? setIsAsking(true) : change.mutate())}
        className="inline-flex min-h-6 items-center gap-2"
      >
        <span
          aria-hidden
          className={`inline-flex h-4.5 w-8 items-center rounded-full border p-0.5 ${
            enabled ? 'justify-end border-transparent bg-accent-fill' : 'border-field bg-raised'
          }`}
        >
          <span className={`size-3 rounded-full ${enabled ? 'bg-on-fill' : 'bg-muted'}`} />
        </span>
        <span className="text-xs text-muted">{enabled ? 'on' : 'off'}</span>
      </button>
      {isAsking && (
        <Confirm
          title={`Disable the ${mode} printer ${displayName}?`}
          action="Disable"
          mutation={{ ...change, mutate: () => change.mutate(undefined, { onSuccess: close }) }}
          onClose={close}
        >
          <p>A disabled printer takes no new jobs. Jobs that it has already taken wait.</p>
        </Confirm>
      )}
      {!isAsking && (
        <FailureDialog title={`${displayName} was not changed`} mutation={change} onRetry={() => change.mutate()} />
      )}
    </>
  )
}
