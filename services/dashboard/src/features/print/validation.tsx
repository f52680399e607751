import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PrintJobRequest, PrintJobValidation } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { CheckField } from '../../ui/field.tsx'
import { LANGUAGE_HASH } from '../devices/language-hash.ts'

const NOT_SUPPORTED = 'document-format-not-supported'

/** What would become of the job. @param body without the document; undefined until it is complete. */
export function useValidation(body: PrintJobRequest | undefined) {
  const { key, send } = useLive()
  const { content: _, title: __, ...checked } = body ?? { title: '', printerId: '' }
  return useQuery({
    queryKey: [...key, 'validation', checked],
    queryFn: ({ signal }) =>
      send((api) => api.POST('/v1/printjobs/validate', { body: { ...checked, title: 'Document' } }), signal),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    // Printers go offline while the form is open.
    refetchInterval: 10_000,
  })
}

/** Whether the printer is known to refuse the document, or to fail with it, so that it is printed on request only. */
export const needsConsent = (validation: PrintJobValidation | undefined): boolean =>
  validation?.warnings.some(({ code }) => code === NOT_SUPPORTED) ?? false

interface ValidationProps {
  printerId: string | undefined
  /** Whether the document is raw data. */
  isRaw: boolean
  query: ReturnType<typeof useValidation>
  /** Why the document is not printed without consent. */
  fault: string | undefined
  hasConsent: boolean
  onConsent(hasConsent: boolean): void
}

/** Below the printer: why nothing would be printed, or not as requested. */
export function Validation(props: ValidationProps) {
  const { printerId, isRaw, query, fault, hasConsent, onConsent } = props
  const { data, error } = query
  const { mode } = useLive()
  if (error) return <ErrorPanel title="The request could not be checked." error={error} />
  if (!data) return null
  const { refusal, warnings, jobsBefore } = data
  if (refusal) return <ErrorPanel title="This would not be printed" error={refusal.message} />
  if (warnings.length === 0 && !jobsBefore && !fault) return null
  return (
    <div role="status" className="flex flex-col gap-2 rounded-md bg-warn-soft p-3 text-sm" data-validation>
      {fault && <p>{fault}</p>}
      {warnings.map(({ code, message }) => (
        <p key={code}>
          {message}
          {code === NOT_SUPPORTED && mode === 'live' && printerId && !isRaw && (
            <>
              {' '}
              <Link to="/$mode/printers/$printerId" params={{ mode, printerId }} hash={LANGUAGE_HASH} className="link">
                Set its language
              </Link>
            </>
          )}
        </p>
      ))}
      {jobsBefore ? (
        <p>
          {jobsBefore === 1 ? '1 job is' : `${jobsBefore}${jobsBefore === 100 ? ' or more' : ''} jobs are`} printed
          before.
        </p>
      ) : null}
      {(fault || needsConsent(data)) && (
        <CheckField label="Print it anyway" checked={hasConsent} onChange={({ target }) => onConsent(target.checked)} />
      )}
    </div>
  )
}
