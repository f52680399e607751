import { CANCELLABLE_STATES } from '@platen/resources/job-states.ts'
import { useState } from 'react'
import { useLive, usePrinters, useResource } from '../../../api/live.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx'
import { CheckField, SelectField } from '../../../ui/field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { PrinterOptions } from '../../devices/printer-options.tsx'
import { REPRINT } from './action-dialog.tsx'
import type { Explanation } from './use-explanation.ts'

export interface Elsewhere {
  printerId: string
  cancelsFirst: boolean
}

interface PrinterDialogProps {
  explanation: Explanation
  onPrint(choice: Elsewhere): void
  onClose(): void
}

/** Prints a job on another printer. A job that waits is cancelled first, so that it comes out once. */
export function PrinterDialog({ explanation, onPrint, onClose }: PrinterDialogProps) {
  const { isPermitted } = useLive()
  const { printers, ...query } = usePrinters()
  const job = useResource('printjob', explanation.jobId) ?? explanation.job
  const isCancellable = CANCELLABLE_STATES.includes(job.state) && isPermitted('cancelPrintJob')
  const others = printers.filter(({ id, enabled }) => id !== job.printerId && enabled)
  const [chosen, setChosen] = useState('')
  const [cancels, setCancels] = useState(true)
  const cancelsFirst = isCancellable && cancels
  const printer = others.find(({ id }) => id === chosen)
  return (
    <Dialog title={`Print “${job.title}” on another printer`} onClose={onClose}>
      <Loaded query={query} failure="The printers could not be loaded.">
        {() =>
          others.length === 0 ? (
            <p className="text-sm">There is no other enabled printer.</p>
          ) : (
            <SelectField label="Printer" value={chosen} onChange={({ target }) => setChosen(target.value)}>
              <option value="">Choose a printer</option>
              <PrinterOptions printers={others} />
            </SelectField>
          )
        }
      </Loaded>
      {isCancellable && (
        <CheckField
          label="Cancel the waiting job"
          hint="If it cannot be cancelled any more, nothing is printed on the other printer."
          checked={cancels}
          onChange={({ target }) => setCancels(target.checked)}
        />
      )}
      {!cancelsFirst && <p className="text-sm">{REPRINT[explanation.paper]}</p>}
      <p className="text-sm text-muted">The new job has the same document and options.</p>
      <DialogButtons>
        <Button onClick={onClose}>{isCancellable ? 'Keep the job' : 'Cancel'}</Button>
        <Button
          variant="primary"
          disabled={!printer}
          onClick={() => {
            onClose()
            onPrint({ printerId: chosen, cancelsFirst })
          }}
        >
          {printer ? `Print on ${printer.displayName}` : 'Print'}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
