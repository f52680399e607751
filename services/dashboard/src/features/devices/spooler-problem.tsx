import type { Computer } from '../../api/resources.ts'
import { MarkedText } from '../../ui/marked-text.tsx'
import { AddPrinterButton } from './add-printer-button.tsx'

interface SpoolerProblemProps {
  computer: Computer
  className: string
  /** Where the page has no button for a network printer. */
  hasButton?: boolean
}

/** Why the agent of an online computer cannot list the printers of the operating system, and what to do. */
export function SpoolerProblem({ computer, className, hasButton = false }: SpoolerProblemProps) {
  const { spoolerProblem, state } = computer
  if (!spoolerProblem || state !== 'online') return null
  return (
    <div className={`flex flex-col items-start gap-2 bg-warn-soft p-3 text-sm text-text ${className}`}>
      <p>
        <MarkedText text={spoolerProblem.message} />
      </p>
      {hasButton && <AddPrinterButton computer={computer} />}
    </div>
  )
}
