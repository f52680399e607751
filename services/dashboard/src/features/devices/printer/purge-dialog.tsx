import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLive } from '../../../api/live.tsx'
import type { Printer } from '../../../api/resources.ts'
import { announce } from '../../../ui/announce.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { CheckField } from '../../../ui/field.tsx'

/** Cancels all jobs of a printer. */
export function PurgeDialog({ printer, onClose }: { printer: Printer; onClose(): void }) {
  const { mode, send } = useLive()
  const [includePrinting, setIncludePrinting] = useState(false)
  const { id, displayName } = printer
  const purge = useMutation({
    mutationFn: () =>
      send((api) => api.POST('/v1/printers/{id}/purge', { params: { path: { id } }, body: { includePrinting } })),
    onSuccess({ cancelled, ended }) {
      announce(`${cancelled} ${mode} jobs cancelled, ${ended} ended`)
      onClose()
    },
  })
  return (
    <Confirm
      title={`Cancel all ${mode} jobs of ${displayName}?`}
      action="Cancel all jobs"
      keep="Keep the jobs"
      mutation={purge}
      onClose={onClose}
    >
      <p>
        Jobs that wait for the computer are cancelled. Jobs that the computer has received end with an error, and a
        sheet may still come.
      </p>
      <CheckField
        label="Also the jobs that are printing"
        checked={includePrinting}
        onChange={({ target }) => setIncludePrinting(target.checked)}
      />
    </Confirm>
  )
}
