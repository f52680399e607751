import type { Computer } from '../../api/resources.ts'
import { MarkedText } from '../../ui/marked-text.tsx'
import { AddPrinterButton } from './add-printer-button.tsx'

/** Why the agent of an online computer cannot list the printers of the operating system, and the way without them. */
export function SpoolerProblem({ computer, className = '' }: { computer: Computer; className?: string }) {
  const { spoolerProblem, state } = computer
  if (!spoolerProblem || state !== 'online') return null
  return (
    <div className={`flex flex-col items-start gap-2 bg-warn-soft p-3 text-sm text-text ${className}`}>
      <p>
        <MarkedText text={spoolerProblem.message} />
      </p>
      <AddPrinterButton computer={computer} />
    </div>
  )
}
