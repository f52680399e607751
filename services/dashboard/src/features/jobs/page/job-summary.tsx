import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { Summary } from './summary.tsx'
import type { Explanation } from './use-explanation.ts'
import type { JobActions } from './use-job-actions.ts'

interface JobSummaryProps {
  explanation: Explanation
  actions: JobActions
}

/** The explanation of a job with its next steps, the questions before them, and their failures. */
export function JobSummary({ explanation, actions }: JobSummaryProps) {
  const { reprint, cancel } = actions
  return (
    <>
      {reprint.isError && <ErrorPanel title="No job was created." error={reprint.error} />}
      {cancel.isError && <ErrorPanel title="The job was not cancelled." error={cancel.error} />}
      <Summary
        explanation={explanation}
        onPrintAgain={actions.askToPrint}
        onNoPaper={() => actions.printAgain()}
        onPrintElsewhere={actions.printAgain}
        isBusy={reprint.isPending}
      />
      <ActionDialog explanation={explanation} actions={actions} />
    </>
  )
}
