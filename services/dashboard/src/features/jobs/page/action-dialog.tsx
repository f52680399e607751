import { useLive } from '../../../api/live.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx'
import type { Explanation } from './use-explanation.ts'
import type { JobActions } from './use-job-actions.ts'

interface ActionDialogProps {
  explanation: Explanation
  actions: JobActions
}

/** Asks before a job is cancelled, or printed although there may be paper. */
export function ActionDialog({ explanation: { paper, job }, actions }: ActionDialogProps) {
  const { mode } = useLive()
  const { question, close, cancel, printAgain } = actions
  const mayLook = paper === 'maybe' && mode === 'live'
  if (!question) return null
  if (question === 'cancel')
    return (
      <Dialog title={`Cancel this ${mode} job?`} onClose={close}>
        <p className="text-sm">{job.title} will not be printed. It can be printed again later.</p>
        <DialogButtons>
          <Button onClick={close}>Keep the job</Button>
          <Button variant="danger" onClick={() => cancel.mutate()}>
            Cancel the job
          </Button>
        </DialogButtons>
      </Dialog>
    )
  return (
    <Dialog title="Print again?" onClose={close}>
      <p className="text-sm">{paper === 'maybe' && !mayLook ? TEST_MAYBE : REPRINT[paper]}</p>
      <DialogButtons>
        <Button onClick={close}>Cancel</Button>
        <Button variant="primary" onClick={() => printAgain()}>
          {mayLook ? 'No paper: print again' : `Create a ${mode} job`}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

const TEST_MAYBE = 'Whether this job was printed is unknown. Test mode has no paper.'
const ACTIVE = 'This job has not ended, so it may still be printed. A second job can then print it twice.'
/** What a second job means for the paper. */
export const REPRINT: Record<Explanation['paper'], string> = {
  none: 'This job was not printed.',
  not_yet: ACTIVE,
  printing: ACTIVE,
  printed: 'This job was printed. A second job prints it once more.',
  maybe: 'Whether this job was printed is unknown. Check for the paper first.',
}
