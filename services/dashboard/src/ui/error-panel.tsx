import { TriangleAlert } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { ApiFailure } from '../api/failure.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy.tsx'

interface ErrorPanelProps {
  /** What failed: "The jobs could not be loaded." */
  title: string
  error: unknown
  onRetry?: (() => void) | undefined
}

/**
 * Shown in place of what a failed request would have shown, so that a failure never looks like an empty list. In a
 * form, the field that the failure names is marked and gets the focus.
 */
export function ErrorPanel({ title, error, onRetry }: ErrorPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => markField(panel.current?.closest('form'), error), [error])
  return (
    <div ref={panel} role="alert" className="flex gap-3 rounded-lg border border-error bg-error-soft p-4 text-sm">
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

/** @returns what removes the mark. */
function markField(form: HTMLFormElement | null | undefined, error: unknown): (() => void) | undefined {
  const field = error instanceof ApiFailure && error.param !== undefined && form?.elements.namedItem(error.param)
  if (!(field instanceof HTMLElement)) return undefined
  field.setAttribute('aria-invalid', 'true')
  field.focus()
  return () => field.removeAttribute('aria-invalid')
}

/** The sentence of the service, its description, and the id with which an operator finds the request. */
export function FailureText({ error }: { error: unknown }) {
  const { requestId, docUrl } = error instanceof ApiFailure ? error : {}
  return (
    <>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {docUrl && (
        <p className="text-xs">
          <a className="link" href={docUrl} target="_blank" rel="noreferrer">
            About this error
          </a>
        </p>
      )}
      {requestId && (
        <p className="flex flex-wrap items-center gap-1 text-xs">
          Request <span className="font-mono">{requestId}</span>
          <CopyButton isCompact text={requestId} label="Copy request id" />
        </p>
      )}
    </>
  )
}
