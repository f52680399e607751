import { TriangleAlert } from 'lucide-react'
import { ApiFailure } from '../api/failure.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy.tsx'

interface ErrorPanelProps {
  /** What failed: "The jobs could not be loaded." */
  title: string
  error: unknown
  onRetry?: (() => void) | undefined
}

/** Shown in place of what a failed request would have shown, so that a failure never looks like an empty list. */
export function ErrorPanel({ title, error, onRetry }: ErrorPanelProps) {
  return (
    <div role="alert" className="flex gap-3 rounded-lg border border-error bg-error-soft p-4 text-sm">
      <TriangleAlert size={18} aria-hidden className="mt-px shrink-0 text-error" />
      <div className="flex min-w-0 flex-col gap-2">
        <div>
          <p className="font-semibold">{title}</p>
          <FailureText error={error} />
        </div>
        {onRetry && (
          <div>
            <Button onClick={onRetry}>Try again</Button>
          </div>
        )}
      </div>
    </div>
  )
}

/** The sentence of the service, and the id with which an operator finds the request. */
export function FailureText({ error }: { error: unknown }) {
  const requestId = error instanceof ApiFailure ? error.requestId : undefined
  return (
    <>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {requestId && (
        <p className="flex flex-wrap items-center gap-1 text-xs">
          Request <span className="font-mono">{requestId}</span>
          <CopyButton isCompact text={requestId} label="Copy request id" />
        </p>
      )}
    </>
  )
}
