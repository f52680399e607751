import { Button } from './button.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'
import { FailureText } from './error-panel.tsx'

interface FailureDialogProps {
  /** What did not happen: "The printer was not changed." */
  title: string
  mutation: { isPending: boolean; error: Error | null; reset(): void }
  onRetry?: () => void
}

/** The failure of an action that has no place on the page for it. Nothing without a failure. */
export function FailureDialog({ title, mutation: { isPending, error, reset }, onRetry }: FailureDialogProps) {
  if (!error) return null
  return (
    <Dialog title={title} onClose={reset}>
      <div role="alert" className="flex flex-col gap-2 text-sm">
        <FailureText error={error} />
      </div>
      <DialogButtons>
        <Button onClick={reset}>Close</Button>
        {onRetry && (
          <Button variant="primary" disabled={isPending} onClick={onRetry}>
            Try again
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  )
}
