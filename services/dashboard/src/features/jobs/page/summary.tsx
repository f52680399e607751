import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleHelp, CircleX, Clock3, type LucideIcon, Printer as PrinterIcon } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useLive } from '../../../api/live.tsx'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { MarkedText } from '../../../ui/marked-text.tsx'
import { splitText } from '../../../ui/text-parts.ts'
import { Clock, formatAge, useNow } from '../../../ui/time.tsx'
import { LANGUAGE_HASH } from '../../devices/language-hash.ts'
import type { Elsewhere } from './printer-dialog.tsx'
import type { Explanation } from './use-explanation.ts'

const PrinterDialog = lazy(async () => ({ default: (await import('./printer-dialog.tsx')).PrinterDialog }))

type Action = Explanation['actions'][number]

const PAPER: Record<Explanation['paper'], { Icon: LucideIcon; color: string; edge: string }> = {
  none: { Icon: CircleX, color: 'text-error', edge: 'border-l-error' },
  not_yet: { Icon: Clock3, color: 'text-warn', edge: 'border-l-warn' },
  printing: { Icon: PrinterIcon, color: 'text-accent', edge: 'border-l-accent' },
  printed: { Icon: CircleCheck, color: 'text-ok', edge: 'border-l-ok' },
  maybe: { Icon: CircleHelp, color: 'text-warn', edge: 'border-l-warn' },
}

interface SummaryProps {
  explanation: Explanation
  onPrintAgain(): void
  onPrintElsewhere(choice: Elsewhere): void
  /** Answer of the user about a job that may have been printed. */
  onNoPaper(): void
  isBusy: boolean
}

/** Whether there is paper, why, since when, and what to do. */
export function Summary(props: SummaryProps) {
  const { explanation } = props
  const { paper, headline, cause, actions } = explanation
  // Most causes end with this time, and some have the duration.
  const since = / for \d/.test(cause) ? null : explanation.since
  const until = splitText(cause).some(({ kind }) => kind === 'time') ? null : explanation.until
  const { Icon, color, edge } = PAPER[paper]
  const now = useNow()
  return (
    <section
      aria-label="Explanation"
      className={`panel flex gap-3 border-l-4 p-4 ${edge}`}
      data-code={explanation.code}
    >
      <Icon size={22} aria-hidden className={`mt-0.5 shrink-0 ${color}`} />
      <div className="flex min-w-0 grow flex-col gap-3">
        <div className="flex flex-col gap-1">
          <h2 className="text-lg font-semibold">{headline}</h2>
          <p>
            <MarkedText text={cause} />
          </p>
          {(since || until) && (
            <p className="text-sm text-muted">
              {since && (
                <>
                  Since <Clock time={since} /> ({formatAge(now - Date.parse(since))})
                </>
              )}
              {since && until && ' · '}
              {until && (
                <>
                  ends at the latest <Clock time={until} />
                </>
              )}
            </p>
          )}
        </div>
        {actions.length > 0 && (
          <ul className="flex flex-col gap-2" aria-label="Next steps">
            {actions.map((action, index) => (
              <li key={action.kind} className="flex flex-wrap items-center gap-2">
                <NextStep {...props} action={action} isFirst={index === 0} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

interface NextStepProps extends SummaryProps {
  action: Action
  isFirst: boolean
}

/** A button where the dashboard can do the step, otherwise its sentence. */
function NextStep({ action, explanation, onPrintAgain, onPrintElsewhere, onNoPaper, isBusy, isFirst }: NextStepProps) {
  const { mode } = useLive()
  const variant = isFirst ? 'primary' : 'normal'
  switch (action.kind) {
    case 'print_again':
      return explanation.paper === 'maybe' ? (
        <Button variant={variant} disabled={isBusy} onClick={() => onNoPaper()}>
          {mode === 'live' ? 'No paper: print again' : 'Print again'}
        </Button>
      ) : (
        <Button variant={variant} disabled={isBusy} onClick={() => onPrintAgain()}>
          Print again
        </Button>
      )
    case 'print_elsewhere':
      return <PrintElsewhere explanation={explanation} onPrint={onPrintElsewhere} isBusy={isBusy} />
    case 'enable_printer':
      return <EnablePrinter printerId={action.printerId ?? explanation.job.printerId} text={action.text} />
    case 'set_language':
      return (
        <Link
          to="/$mode/printers/$printerId"
          params={{ mode, printerId: action.printerId ?? explanation.job.printerId }}
          hash={LANGUAGE_HASH}
          className="button"
        >
          Set the language of the printer
        </Link>
      )
    case 'open_job':
      return action.jobId ? (
        <Link to="/$mode/jobs/$jobId" params={{ mode, jobId: action.jobId }} className="button">
          Open the job at the head of the queue
        </Link>
      ) : (
        <StepText text={action.text} />
      )
    default:
      return <StepText text={action.text} />
  }
}

function StepText({ text }: { text: string }) {
  return (
    <span className="text-sm">
      <span aria-hidden>→ </span>
      <MarkedText text={text} />
    </span>
  )
}

function EnablePrinter({ printerId, text }: { printerId: string; text: string }) {
  const { send, resources, isPermitted } = useLive()
  const enable = useMutation({
    mutationFn: () =>
      send((api) => api.PATCH('/v1/printers/{id}', { params: { path: { id: printerId } }, body: { enabled: true } })),
    onSuccess(printer) {
      resources.put('printer', printer as never)
      announce(`${printer.displayName} is enabled`)
    },
  })
  return (
    <>
      <Button
        variant="primary"
        disabled={enable.isPending}
        disabledReason={isPermitted('updatePrinter') ? undefined : 'Only owners and admins can enable printers.'}
        onClick={() => enable.mutate()}
      >
        {text.replace(/\.$/, '')}
      </Button>
      {enable.isError && <ErrorPanel title="The printer was not enabled." error={enable.error} />}
    </>
  )
}

interface PrintElsewhereProps {
  explanation: Explanation
  onPrint(choice: Elsewhere): void
  isBusy: boolean
}

function PrintElsewhere({ explanation, onPrint, isBusy }: PrintElsewhereProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button disabled={isBusy} onClick={() => setIsOpen(true)}>
        Print on another printer …
      </Button>
      {isOpen && (
        <Suspense>
          <PrinterDialog explanation={explanation} onPrint={onPrint} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
