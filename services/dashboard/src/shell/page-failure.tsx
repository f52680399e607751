import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'
import { ErrorPanel } from '../ui/error-panel.tsx'

/** A chunk of another release is gone after an upgrade. Its message depends on the browser. */
const MISSING_CHUNK = /dynamically imported module|module script failed/i

export function PageFailure({ error }: ErrorComponentProps) {
  const router = useRouter()
  if (MISSING_CHUNK.test(String(error)))
    return (
      <div className="flex flex-col items-start gap-3 p-6">
        <h1 className="text-lg font-semibold">This page could not be loaded</h1>
        <p>Platen was probably upgraded, or the connection was interrupted.</p>
        <Button variant="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </div>
    )
  return (
    <div className="p-4">
      <ErrorPanel title="This page could not be shown." error={error} onRetry={() => router.invalidate()} />
    </div>
  )
}
